"""The sample of tables in another process."""

import hashlib
import os
import subprocess
import sys

from pickomino_conformance.cases import tables
from pickomino_reference import find_edition


def test_the_sample_is_the_same_in_every_process() -> None:
    """Whatever seed Python hashes texts by; else an id would be no name for a case."""
    program = (
        "import hashlib\n"
        "from pickomino_conformance.cases.tables import sample\n"
        "from pickomino_reference import Rulings\n"
        "names = ' '.join(case.id for case in sample(Rulings()))\n"
        "print(hashlib.sha256(names.encode()).hexdigest())\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "271"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    names = " ".join(case.id for case in tables.sample(find_edition().rulings))
    assert done.stdout.strip() == hashlib.sha256(names.encode()).hexdigest()
