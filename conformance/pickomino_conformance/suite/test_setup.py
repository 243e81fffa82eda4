"""The scenarios of the chapter `setup`."""

from pytest_bdd import scenarios

from pickomino_conformance.data import data_dir

scenarios(str(data_dir("features") / "setup.feature"))
