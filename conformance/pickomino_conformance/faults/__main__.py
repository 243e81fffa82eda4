"""The reference with faults of the catalogue, as an engine: `… -m pickomino_conformance.faults`.

Each argument is the name of a fault; without any the catalogue is listed. `--edition E` in
front has the faults planted in an engine that plays this edition.
"""

import sys

from pickomino_conformance.faults import FaultyEngine, faults_against, find_fault
from pickomino_conformance.protocol.host import serve
from pickomino_reference import UnknownName, find_edition


def main(arguments: list[str]) -> int:
    """List the catalogue, or be a wrong engine on stdin and stdout; return the exit status."""
    try:
        edition = find_edition(arguments[1]) if arguments[:1] == ["--edition"] else find_edition()
        names = arguments[2:] if arguments[:1] == ["--edition"] else arguments
        faults = [find_fault(name, edition.rulings) for name in names]
    except (UnknownName, IndexError) as error:
        print(error, file=sys.stderr)
        return 2
    if not faults:
        for fault in faults_against(edition.rulings):
            print(f"{fault.name}  ({', '.join(fault.rules)})")
        return 0
    serve(FaultyEngine(faults, edition))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
