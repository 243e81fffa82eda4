"""The scenarios of the chapter `claiming`."""

from pytest_bdd import scenarios

from pickomino_conformance.data import data_dir

scenarios(str(data_dir("features") / "claiming.feature"))
