"""If the program itself fails, it says so in words, and leaves with a status of its own."""

import sys

import pytest

from pickomino_conformance import check, cli


@pytest.fixture
def broken(monkeypatch) -> None:
    """Let a check fail as no engine can make it fail, and leave signals and streams alone."""

    def fail(*_) -> None:
        raise KeyError("a name\x1b[31m that is not there")

    monkeypatch.setattr(check, "run", fail)
    monkeypatch.setattr(cli.interruption, "listen", lambda: None)
    monkeypatch.setattr(cli.files, "outlive_readers", lambda: None)
    monkeypatch.setattr(sys, "argv", ["pickomino", "check", "reference"])


@pytest.mark.usefixtures("broken")
def test_a_failure_of_the_harness_is_told_in_words_with_its_place(capsys) -> None:
    """What, where, and that it says nothing about the engine; no traceback."""
    with pytest.raises(SystemExit) as left:
        cli.main()
    told = " ".join(capsys.readouterr().err.split())
    assert left.value.code == 3
    assert "pickomino itself has failed: KeyError:" in told
    assert "(cli/engines.py, line " in told
    assert "says nothing about the engine" in told
    assert "PICKOMINO_TRACEBACK=1" in told
    assert "Traceback (most recent call last)" not in told
    assert "\x1b" not in told


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_on_demand(capsys, monkeypatch) -> None:
    """An environment variable brings it back."""
    monkeypatch.setenv("PICKOMINO_TRACEBACK", "1")
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err
