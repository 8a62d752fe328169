"""A plugin of pytest: a lab, with its provider on loopback, for the tests of a program that signs in at Microsoft Entra.

    def test_sign_in(ssoterm, page):                              # page: Playwright's
        page.goto("http://localhost:4200/")                       # the program, with ssoterm.authority as its authority
        ssoterm.answer(page, "ada@contoso.com")
        ssoterm.clock("+91d")                                     # what may happen to a sign-in, at once
        ssoterm.set_person("ada@contoso.com", isDisabled="yes")

A scenario comes from the option --ssoterm-scenario, the setting ssoterm_scenario, or the marker
@pytest.mark.ssoterm("repro.yaml", until=3, fixed=True). Each test has a new lab; `ssoterm_lab` makes several.
"""
import json, os, pathlib, shutil, subprocess, tempfile

import pytest

PROGRAM = os.environ.get("SSOTERM", "ssoterm")


class Lab:
    """A store in a temporary folder, with the server that serves it."""

    def __init__(self, scenario=None, until=None, fixed=False, options=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ssoterm-"))
        self.store = str(self.folder / "store.sqlite")
        words = [PROGRAM, "serve", "--port", "0", "--store", self.store, *options]
        if "--approve" not in words:
            words += ["--approve", "browser"]
        if scenario:
            words += ["--scenario", str(scenario)]
        if until:
            words += ["--until", str(until)]
        if fixed:
            words += ["--fixed"]
        self.log = self.folder / "serve.log"
        with open(self.log, "w") as log:
            self.server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        self.origin = self.server.stdout.readline().strip()
        if not self.origin:
            raise RuntimeError("ssoterm serve ended: " + self.log.read_text())
        self.variables = self.json("serve", "env", "--unmask")["variables"]
        self.authority = self.variables["SSOTERM_AUTHORITY"]
        self.certificates = self.variables["SSOTERM_CA"]

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # The command line, whose changes count from the next request on.

    def run(self, *words, status=0, text=None):
        """The output of a command in this lab, such as run("fault", "add", "token=503,times=1")."""
        done = subprocess.run([PROGRAM, *map(str, words), "--store", self.store], input=text, capture_output=True, text=True)
        if done.returncode != status:
            raise RuntimeError(f"ssoterm {' '.join(map(str, words))}: {done.returncode}: {done.stderr}")
        return done.stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def clock(self, change):
        """Moves the lab's time: +1h, -90m, reset."""
        self.run("clock", change)

    def revoke(self, person):
        """Signs a person out everywhere."""
        self.run("revoke", person)

    def add_person(self, username, password, **fields):
        self.run("person", "add", username, *self.fields(fields), "--password-stdin", text=password)

    def set_person(self, username, **fields):
        self.run("person", "set", username, *self.fields(fields))

    def set_registration(self, client_id, **fields):
        self.run("registration", "set", client_id, *self.fields(fields))

    def traces(self):
        """The calls that reached the provider, the newest first."""
        return self.json("trace", "list")["traces"]

    @staticmethod
    def fields(fields):
        return [f"{name}={value}" for name, value in fields.items()]

    def password(self, username):
        for name, value in self.variables.items():
            if name.startswith("SSOTERM_USERNAME") and value == username:
                return self.variables["SSOTERM_PASSWORD" + name[len("SSOTERM_USERNAME"):]]
        raise LookupError(f"{username} is not a person of the lab; give the password")

    # The sign-in pages, for Playwright and everything with the same interface.

    def answer(self, page, username, password=None, consent=True):
        """Answers the pages up to the redirect, or the first page that refuses; returns the text of that page, or None.

        The pages have the element IDs of Entra's pages.
        """
        answers = {"#i0116": username, "#i0118": password or self.password(username)}
        page.wait_for_selector("#i0116, #i0118, #number, [name=accept], [role=alert]")
        for _ in range(8):
            shown = [one for one in (*answers, "#number", "[name=accept]") if page.locator(one).count()]
            if not page.url.startswith(self.origin) or not shown and not page.locator("[role=alert]").count():
                return None
            if not shown or shown[0] in ("#i0116", "#i0118") and shown[0] not in answers:
                break
            if shown[0] == "[name=accept]":
                button = "#idSIButton9" if consent else "#idBtn_Back"
            else:
                page.fill(shown[0], answers.pop(shown[0], None) or page.inner_text(".number"))
                button = "#idSIButton9"
            with page.expect_response(lambda answer: answer.request.is_navigation_request()):
                page.click(button, no_wait_after=True)
            page.wait_for_load_state()
            if page.locator("[role=alert]").count():
                break
        return page.inner_text("[role=alert]") if page.locator("[role=alert]").count() else None


def pytest_addoption(parser):
    parser.getgroup("ssoterm").addoption("--ssoterm-scenario", help="the scenario, name or file, of the labs")
    parser.addini("ssoterm_scenario", "the scenario, name or file, of the labs")


def pytest_configure(config):
    config.addinivalue_line("markers", "ssoterm(scenario, until, fixed): the lab of the fixture ssoterm")


@pytest.fixture
def ssoterm_lab(pytestconfig):
    """Starts labs: ssoterm_lab("repro.yaml", until=3, options=["--approve", "auto:ada@contoso.com"])."""
    labs = []

    def start(scenario=None, **others):
        usual = pytestconfig.getoption("--ssoterm-scenario") or pytestconfig.getini("ssoterm_scenario")
        labs.append(Lab(scenario or usual or None, **others))
        return labs[-1]

    yield start
    for lab in labs:
        lab.close()


@pytest.fixture
def ssoterm(request, ssoterm_lab):
    """A new lab for this test."""
    marker = request.node.get_closest_marker("ssoterm")
    return ssoterm_lab(*marker.args, **marker.kwargs) if marker else ssoterm_lab()
