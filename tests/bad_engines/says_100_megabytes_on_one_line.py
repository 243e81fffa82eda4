"""Answers the first turn by 100 MB on one line."""

from rightly import serve

serve(lambda request, right: "{" + " " * 100_000_000 if request["method"] == "turn" else right)
