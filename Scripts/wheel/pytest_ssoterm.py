"""A plugin of pytest: a lab, with its provider on loopback, for the tests of a program that signs in at Microsoft Entra.

    def test_sign_in(ssoterm, page):                              # page: Playwright's
        page.goto("http://localhost:4200/")                       # the program, with ssoterm.authority as its authority
        ssoterm.answer(page, "ada@contoso.com")
        ssoterm.clock("+91d")                                     # what may happen to a sign-in, at once
        ssoterm.set_person("ada@contoso.com", isDisabled="yes")

    @pytest.mark.ssoterm("repro.yaml", until=3, fixed=True, approve="auto:ada@contoso.com")
    def test_wrong_password(ssoterm):                             # no page to answer: Ada signs in at once
        ssoterm.next("wrong-password")                            # or declines, or is another user

A scenario comes from the option --ssoterm-scenario, the setting ssoterm_scenario, or the marker. Each test has a new lab;
`ssoterm_lab` makes several.

If SSOTERM_CONTROL_URL names a server that runs in another process or container with `ssoterm serve --control --scenario …`, the fixture
`ssoterm` is that one, reset before each test. SSOTERM_CONTROL_TOKEN is its token, and SSOTERM_CA the file with its certificate authority.
"""
import json, os, pathlib, shutil, ssl, subprocess, tempfile, urllib.error, urllib.request

import pytest

PROGRAM = os.environ.get("SSOTERM", "ssoterm")


class Lab:
    """A store with the server that serves it.

    `authority`, `origin` and `certificates` are what a program is configured with; `variables` has the client IDs and the
    users too, as `ssoterm serve env --unmask` prints them.
    """

    def __init__(self):
        self.variables = self.run("serve", "env", "--unmask")["variables"]
        self.origin, self.authority = self.variables["SSOTERM_ORIGIN"], self.variables["SSOTERM_AUTHORITY"]
        self.certificates = self.variables["SSOTERM_CA"]

    # The command line, whose changes count from the next request on.

    def run(self, *words, status=0, text=None):
        """The JSON document of a command in this lab, such as run("fault", "add", "token", "503", "--times", 1)."""
        ended, document = self.ended([str(word) for word in words], text)
        if ended != status:
            raise RuntimeError(f"ssoterm {' '.join(map(str, words))}: {ended}: {json.dumps(document)}")
        return document

    def next(self, *answers):
        """Sets how the user of approve="auto:…" answers the next sign-ins: wrong-password, decline, cancel, as:UPN."""
        self.run("serve", "next", *answers)

    def clock(self, change):
        """Moves the lab's time: +1h, -90m, reset."""
        self.run("clock", change)

    def revoke(self, person):
        """Signs a user out everywhere."""
        self.run("revoke", person)

    def add_person(self, username, password, **fields):
        self.run("person", "add", username, *self.fields(fields), "--password-stdin", text=password)

    def set_person(self, username, **fields):
        self.run("person", "set", username, *self.fields(fields))

    def set_registration(self, client_id, **fields):
        self.run("registration", "set", client_id, *self.fields(fields))

    def traces(self):
        """The calls that reached the provider, the newest first."""
        return self.run("trace", "list")["traces"]

    @staticmethod
    def fields(fields):
        return [f"{name}={value}" for name, value in fields.items()]

    def password(self, username):
        for name, value in self.variables.items():
            if name.startswith("SSOTERM_USERNAME") and value == username:
                return self.variables["SSOTERM_PASSWORD" + name[len("SSOTERM_USERNAME"):]]
        raise LookupError(f"{username} is not a user of the lab; give the password")

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


class OwnLab(Lab):
    """A lab in a temporary folder, with a server of this process."""

    def __init__(self, scenario=None, until=None, fixed=False, approve="browser", options=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ssoterm-"))
        self.store = str(self.folder / "store.sqlite")
        self.start = ["--scenario", str(scenario or "contoso-suite")]
        if until: self.start += ["--until", str(until)]
        if fixed: self.start += ["--fixed"]
        words = [PROGRAM, "serve", "--port", "0", "--store", self.store, "--approve", approve, *self.start, *options]
        self.log = self.folder / "serve.log"
        with open(self.log, "w") as log:
            self.server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        if not self.server.stdout.readline():                         # its address, once it listens
            raise RuntimeError("ssoterm serve ended: " + self.log.read_text())
        super().__init__()

    def ended(self, words, text=None):
        done = subprocess.run([PROGRAM, *words, "--store", self.store, "--json"], input=text or "", capture_output=True,
                              text=True)
        return done.returncode, json.loads(done.stdout or "null")

    def reset(self):
        """Goes back to the start of the scenario; the server, its keys, and the traces stay."""
        self.run("lab", "reset", *self.start)

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.server.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class DistantLab(Lab):
    """The lab of a server in another process or container, through its control interface."""

    def __init__(self, url):
        self.control = url.rstrip("/") + "/lab/control"
        self.context = ssl.create_default_context(cafile=os.environ.get("SSOTERM_CA"))
        self.reset()
        super().__init__()
        # The file that the server names is on the other machine.
        self.certificates = os.environ.get("SSOTERM_CA", self.certificates)

    def ended(self, words, text=None):
        if text is not None: raise RuntimeError("the control interface takes no text for a command")
        token = os.environ.get("SSOTERM_CONTROL_TOKEN", "")
        request = urllib.request.Request(self.control, json.dumps({"command": words}).encode(), {
            "Authorization": "Bearer " + token, "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, context=self.context) as answer: document = json.load(answer)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{self.control}: {error.code}: {error.read().decode()}") from None
        return document["exitStatus"], document["output"]

    def reset(self):
        """Goes back to the start of the scenario of `serve`; the server, its keys, and the traces stay."""
        self.run("lab", "reset")

    def close(self):
        pass


def pytest_addoption(parser):
    parser.getgroup("ssoterm").addoption("--ssoterm-scenario", help="the scenario, name or file, of the labs")
    parser.addini("ssoterm_scenario", "the scenario, name or file, of the labs")


def pytest_configure(config):
    config.addinivalue_line("markers", "ssoterm(scenario, until, fixed, approve, options): the lab of the fixture ssoterm")


@pytest.fixture
def ssoterm_lab(pytestconfig):
    """Starts labs: ssoterm_lab("repro.yaml", until=3, approve="auto:ada@contoso.com")."""
    labs = []

    def start(scenario=None, **others):
        usual = pytestconfig.getoption("--ssoterm-scenario") or pytestconfig.getini("ssoterm_scenario")
        labs.append(OwnLab(scenario or usual or None, **others))
        return labs[-1]

    yield start
    for lab in labs:
        lab.close()


@pytest.fixture
def ssoterm(request, monkeypatch, ssoterm_lab):
    """A new lab for this test. MSAL, requests, and httpx trust it."""
    url = os.environ.get("SSOTERM_CONTROL_URL")
    marker = request.node.get_closest_marker("ssoterm")
    lab = DistantLab(url) if url else ssoterm_lab(*marker.args, **marker.kwargs) if marker else ssoterm_lab()
    for variable in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"): monkeypatch.setenv(variable, lab.certificates)
    return lab
