"""The scenarios of the chapter `ending`."""

from pytest_bdd import scenarios

from pickomino_conformance.data import features_dir

scenarios(str(features_dir() / "ending.feature"))
