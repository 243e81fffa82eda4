"""Answers every turn under the id of the next."""

from rightly import serve

serve(lambda request, right: right | {"id": request["id"] + (request["method"] == "turn")})
