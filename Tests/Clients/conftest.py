import os, shutil, sys

import pytest

from lab import REPORT, ROOT, Lab

# The plugin of the wheel, with the fixture `ssoterm`.
sys.path.insert(0, str(ROOT / "Scripts/wheel"))
pytest_plugins = ["pytest_ssoterm"]


@pytest.fixture(scope="session", autouse=True)
def report():
    """The folder for files to look at afterwards."""
    shutil.rmtree(REPORT, ignore_errors=True)
    REPORT.mkdir(parents=True)
    return REPORT


@pytest.fixture(scope="session")
def shared_lab(tmp_path_factory, report):
    lab = Lab(tmp_path_factory.mktemp("lab"), "--approve", "browser")
    yield lab
    ended = lab.end()
    shutil.copy(lab.log, report / "serve.log")
    assert ended == 0, f"ssoterm serve ended with {ended}"


@pytest.fixture
def lab(shared_lab):
    """The server that most tests share; faults and the clock are reset."""
    trust(shared_lab)
    yield shared_lab
    shared_lab.ssoterm("fault", "clear")
    shared_lab.ssoterm("clock", "reset")


@pytest.fixture
def labs(tmp_path):
    """Starts a server with its own options, and ends it."""
    started = []

    def start(*options):
        folder = tmp_path / f"lab{len(started)}"
        folder.mkdir()
        started.append(Lab(folder, *options))
        trust(started[-1])
        return started[-1]

    yield start
    for lab in started:
        if lab.server.poll() is None:
            lab.end()


def trust(lab):
    """Requests prefers the variable to the program's own setting, and so does azure-identity."""
    os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = lab.certificates
