"""Dies before it reads anything."""

import sys

sys.exit("no dice in the box")
