"""Answers rightly, with logs between its answers."""

from rightly import serve


def chat(_, right):
    print("DEBUG rolling", "[1, 2, 3]", "", sep="\n", flush=True)
    return right


serve(chat)
