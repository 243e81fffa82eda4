"""The scenarios of the chapter `failing`."""

from pytest_bdd import scenarios

from pickomino_conformance.data import data_dir

scenarios(str(data_dir("features") / "failing.feature"))
