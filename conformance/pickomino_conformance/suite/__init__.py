"""The features as a test suite: `pytest --pyargs pickomino_conformance.suite`."""
