{{head}}
import os, pathlib, subprocess

PROGRAM = os.environ.get("SSOTERM", "ssoterm")
FIXED = os.environ.get("SSOTERM_FIXED") == "1"
SCENARIO = pathlib.Path(__file__).with_name({{scenario}})


def test_the_call_gets_a_token():
    done = subprocess.run([PROGRAM, "scenario", "run", str(SCENARIO), *(["--fixed"] if FIXED else [])],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    # Without the change, the scenario passes as long as the call fails as the source shows.
    assert FIXED, "the call fails: " + {{failure}}
