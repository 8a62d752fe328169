"""The program under torture, with a separate store in a separate folder."""
import json, os, pathlib, signal, sqlite3, ssl, subprocess, tempfile, threading, urllib.parse, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SSOTERM", str(ROOT / ".build/debug/ssoterm"))
APP, PERSON, PASSWORD = "com.contoso.mytestapp1", "ada@contoso.com", "analytical-engine"
TRAPS = {-signal.SIGILL, -signal.SIGTRAP, -signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE}
READERS = ["status", "apps", "accounts", "tokens --json", "keychain", "trace list", "trace show", "why --matrix", "export -o -"]


class Failure(Exception):
    pass


def hold(so, what):
    if not so:
        raise Failure(what)


class Lab:
    """A folder with a store, and the program in it."""

    def __init__(self, folder, name="s.sqlite"):
        self.folder, self.store = pathlib.Path(folder), pathlib.Path(folder) / name
        self.environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
                            "SSOTERM_STORE": str(self.store), "SWIFT_BACKTRACE": "enable=no", "TMPDIR": str(folder)}

    def start(self, *words, typed=b"", **more):
        with tempfile.TemporaryFile() as given:
            given.write(typed)
            given.seek(0)
            return subprocess.Popen([PROGRAM, *map(str, words)], env=self.environment, cwd=self.folder, stdin=given,
                                    stdout=more.pop("stdout", subprocess.PIPE), stderr=more.pop("stderr", subprocess.PIPE), **more)

    def serve(self, port=0, more=()):
        """A server and its port. Its log is read continuously, because it would otherwise fill the pipe and block the server."""
        server = self.start("serve", "--port", port, "--approve", "browser", *more, start_new_session=True)
        port = int(server.stdout.readline().decode().rsplit(":", 1)[1])
        server.said = []
        server.readers = [threading.Thread(target=server.said.extend, args=(stream,), daemon=True)
                          for stream in (server.stdout, server.stderr)]
        for reader in server.readers: reader.start()
        return server, port

    def run(self, *words, typed=b"", wants=None):
        done = subprocess.run([PROGRAM, *map(str, words)], env=self.environment, cwd=self.folder, input=typed,
                              capture_output=True, timeout=120)
        hold(done.returncode not in TRAPS, f"{words}: signal {-done.returncode}")
        if wants is not None:
            hold(done.returncode in wants, f"{words}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
        return done

    def sign_in(self, wants=(0,)):
        return self.run("signin", APP, "--account", PERSON, "--password-stdin", "--accept-consent",
                        typed=PASSWORD.encode() + b"\n", wants=wants)

    def check(self):
        """The store opens, is complete, and can be written to."""
        self.run("status", "--create", wants=(0,))
        with sqlite3.connect(self.store) as database:
            hold(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is not whole")
        database.close()
        self.run("clock", "+1s", wants=(0,))
        drafts = [file.name for file in self.folder.iterdir() if ".key." in file.name]
        hold(not drafts, f"left behind: {drafts}")

    def offset(self):
        return json.loads(self.run("clock", "show", "--json", wants=(0,)).stdout)["clockOffset"] or 0


def ask(port, path, fields):
    request = urllib.request.Request(f"https://localhost:{port}{path}", urllib.parse.urlencode(fields).encode())
    with urllib.request.urlopen(request, timeout=20, context=ssl._create_unverified_context()) as answer:
        return json.load(answer)
