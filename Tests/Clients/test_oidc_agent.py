"""oidc-agent from Debian: no User-Agent, bodies that are not percent-encoded, and Basic with an empty secret."""
import os, signal, subprocess

import pytest


@pytest.fixture
def agent(labs, tmp_path):
    """Runs a command of oidc-agent against a lab that approves everything itself."""
    lab = labs("--approve", "auto:ada@contoso.com", "--generic")
    environment = {**os.environ, "HOME": str(tmp_path)}
    started = subprocess.run(["oidc-agent"], env=environment, check=True, capture_output=True, text=True).stdout
    said = dict(word.split("=", 1) for word in started.replace(";", " ").split() if "=" in word)
    environment.update(said)

    def run(*arguments):
        done = subprocess.run([*arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=90)
        assert done.returncode == 0, f"{' '.join(arguments)}: {done.returncode}, {done.stderr}"
        return done.stdout.strip()

    def generate(name, *arguments):
        run("oidc-gen", name, f"--iss={lab.issuer}", "--scope=openid profile offline_access", "--flow=device",
            "--pw-cmd=echo pw", f"--cp={lab.certificates}", "--confirm-default", "--prompt=none", *arguments)

    yield lab, run, generate
    os.kill(int(said["OIDCD_PID"]), signal.SIGTERM)


def test_a_known_client_signs_in_by_device_code_refreshes_and_revokes(agent):
    lab, run, generate = agent
    generate("known", "-m", f"--client-id={lab.public}", "--client-secret=")
    first = run("oidc-token", "known")
    assert run("oidc-token", "--time=999999", "known") != first
    run("oidc-gen", "-d", "known", "--pw-cmd=echo pw", "--confirm-yes")
    assert "/oauth2/v2.0/revoke (Lab Public App) 200" in lab.log.read_text()


def test_a_client_registers_itself(agent):
    lab, run, generate = agent
    generate("new")
    assert run("oidc-token", "new").count(".") == 2
    assert "oidc-agent:new" in lab.ssoterm("registration", "list")
