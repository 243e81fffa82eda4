"""Every scenario of the features, by chapter."""

from pytest_bdd import scenarios

from pickomino_conformance.specification import CHAPTERS, features_dir

scenarios(*(str(features_dir() / f"{chapter}.feature") for chapter in CHAPTERS))
