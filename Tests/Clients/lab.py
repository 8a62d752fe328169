"""The program under test: `ssoterm serve` on a free port, with a separate store."""
import json, os, pathlib, signal, subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORT = ROOT / ".build/clients-report"
PROGRAM = os.environ.get("SSOTERM", str(ROOT / ".build/debug/ssoterm"))
GRAPH = "https://graph.microsoft.com/"


class Lab:
    """One store with its server. `kill` and `start` leave the store: clients come back to the same port."""

    def __init__(self, folder, *options):
        self.store, self.options, self.port, self.server = folder / "store.sqlite", options, 0, None
        self.log = folder / "serve.log"
        self.start()
        self.values = json.loads(self.ssoterm("serve", "env", "--json", "--unmask"))["variables"]
        self.people = [(self.values["SSOTERM_USERNAME" + n], self.values["SSOTERM_PASSWORD" + n]) for n in ("", "2")]

    def start(self):
        arguments = [PROGRAM, "serve", "--port", str(self.port), *self.options]
        with open(self.log, "a") as log:
            self.server = subprocess.Popen(arguments, env=self.environment, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.PIPE, stderr=log, start_new_session=True)
        address = self.server.stdout.readline().decode().strip()       # printed once it listens
        assert address.startswith("https://localhost:"), f"ssoterm serve ended: {self.log.read_text()}"
        self.port = int(address.rsplit(":", 1)[1])

    def end(self, how=signal.SIGTERM):
        """Its exit status."""
        self.server.send_signal(how)
        return self.server.wait(timeout=60)

    @property
    def environment(self):
        return {**os.environ, "SSOTERM_STORE": str(self.store)}

    def ssoterm(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], env=self.environment, capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == status, f"ssoterm {' '.join(map(str, arguments))}: {done.returncode}, {done.stderr}"
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.ssoterm(*arguments, "--json"))

    def rows(self, *arguments):
        """The list in the document of a command that lists something."""
        [rows] = (value for value in self.json(*arguments).values() if isinstance(value, list))
        return rows

    @property
    def origin(self):
        return f"https://localhost:{self.port}"

    @property
    def authority(self):
        return self.values["SSOTERM_AUTHORITY"]

    @property
    def issuer(self):
        return self.values["SSOTERM_ISSUER"]

    @property
    def certificates(self):
        return self.values["SSOTERM_CA"]

    @property
    def family(self):
        """The client IDs of two apps of one family."""
        return self.values["SSOTERM_CLIENT_ID"], self.values["SSOTERM_CLIENT_ID2"]

    @property
    def public(self):
        """The client ID of a public app outside the family."""
        return self.values["SSOTERM_CLIENT_ID3"]

    @property
    def confidential(self):
        return self.values["SSOTERM_CONFIDENTIAL_ID"], self.values["SSOTERM_CONFIDENTIAL_SECRET"]
