"""Prints a banner and logs, and no answer."""

from rightly import requests

print("*** Pickomino 3000 ***", flush=True)
for request in requests():
    print("got", request["method"], flush=True)
