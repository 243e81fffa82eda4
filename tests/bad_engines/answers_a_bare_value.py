"""Answers every turn by the line that its argument says, which is no object."""

import sys

from rightly import serve

serve(lambda request, right: sys.argv[1] if request["method"] == "turn" else right)
