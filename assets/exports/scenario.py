{{head}}
import os, pathlib, subprocess

import pytest

PROGRAM = os.environ.get("SSOTERM", "ssoterm")
SCENARIO = pathlib.Path(__file__).with_name({{scenario}})


@pytest.mark.parametrize("options", [[], ["--fixed"]], ids=["fails as shown", "mended"])
def test_the_call(options):
    done = subprocess.run([PROGRAM, "scenario", "run", str(SCENARIO), *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
