"""`python -m pickomino_conformance` is the console script `pickomino`."""

from pickomino_conformance.cli import main

if __name__ == "__main__":
    main()
