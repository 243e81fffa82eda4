"""Is killed by a signal at the first turn."""

import os
import signal

from rightly import serve


def abort(request, right):
    if request["method"] == "turn":
        os.kill(os.getpid(), signal.SIGSEGV)
    return right


serve(abort)
