"""The order of the tests: files that take long begin first, so that no core waits at the end."""

LONG = ("test_tables", "test_bad_engines", "test_partial_engines", "test_faults", "test_check")


def pytest_collection_modifyitems(items):
    """Let the files that take long come first, and leave all others as they are."""
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))
