"""kill -9 of every command that writes, with a store in a file and with a lab on PostgreSQL."""
import contextlib, hashlib, os, pathlib, re, shutil, signal, sqlite3, subprocess, tempfile, time

from lab import APP, PASSWORD, PERSON, ROOT, Lab, hold

OTHER = "com.contoso.mytestapp2"
SIGN_IN = ["signin", APP, "--account", PERSON, "--password-stdin", "--accept-consent"]
# Every command that changes the lab as one step of the journal. CREDENTIAL stands for a credential of the lab.
JOURNALLED = [
    SIGN_IN, ["silent", APP, "--force-refresh"], ["signout", APP], ["signout", APP, "--wipe-cache"], ["signout", APP, "--browser"],
    ["forget", PERSON, "--yes"], ["expire", "CREDENTIAL"], ["invalidate", "CREDENTIAL"], ["delete", "CREDENTIAL", "--yes"],
    ["revoke", PERSON], ["undo"], ["broker", "install"], ["disturb", APP, "tampered"], ["reinstall", APP], ["end", APP],
    ["policy", "add", "p1", "--require", "mfa"], ["compliance", "off"], ["enroll", APP, "--account", PERSON],
    ["fault", "add", "token", "503"], ["clock", "+1h"], ["app", "add", "com.contoso.new"], ["app", "set", APP, "displayName=Mail"],
    ["app", "remove", OTHER], ["app", "import", ROOT / "assets/projects/no-callback"], ["person", "add", "eve@contoso.com"],
    ["person", "set", PERSON, "displayName=Ada"], ["group", "add", "g1"], ["import", "cache.json"],
    ["open", f"msauth.{APP}://auth?code=x", "--from", OTHER],
]


# The commands whose second word is only their object.
SHORT = ["signin", "silent", "signout", "forget", "expire", "invalidate", "delete", "revoke", "disturb", "reinstall", "end", "enroll",
         "import", "clock", "open"]


class FileState:
    """The rows of a store in a file."""

    def __init__(self, lab):
        self.lab = lab

    def read(self):
        """The last entry of the journal, and a digest of everything that it could change."""
        with contextlib.closing(sqlite3.connect(self.lab.store, timeout=60)) as database:
            [last] = database.execute("SELECT coalesce(max(id), 0) FROM journal").fetchone()
            # Random numbers that were used are not used again, so undo does not reset the generator.
            rows = [sorted(map(repr, database.execute(query))) for query in
                    ("SELECT * FROM item", "SELECT * FROM document WHERE kind || key <> 'labrandom'")]
        return last, hashlib.sha256(repr(rows).encode()).hexdigest()


class ServerState:
    """The rows of a lab on a server, read by psql."""

    def __init__(self, server):
        self.server = server

    def read(self):
        # The server executes the statements that a killed program had sent, so wait for their end.
        deadline = time.monotonic() + 60
        while self.server.ask("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()") != "0":
            hold(time.monotonic() < deadline, "the server does not end a killed program's session")
            time.sleep(0.001)
        last, digest = self.server.ask(
            "SELECT (SELECT coalesce(max(id), 0) FROM ssoterm_lab.journal) || '|' || md5(coalesce((SELECT string_agg(r, '' ORDER BY r)"
            " FROM (SELECT i::text AS r FROM ssoterm_lab.item i UNION ALL"
            " SELECT d::text FROM ssoterm_lab.document d WHERE convert_from(kind || key, 'SQL_ASCII') <> 'labrandom') AS rows), ''))").split("|")
        return int(last), digest


class Server:
    """A PostgreSQL server on a Unix socket, which ends with this object."""

    def __init__(self, folder):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        hold(found, "no PostgreSQL: Scripts/install-packages test")
        self.programs, self.folder = found[-1].parent, pathlib.Path(folder)
        self.other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.other:
            shutil.chown(folder, "postgres")
            os.chmod(folder, 0o755)
        subprocess.run([*self.other, self.programs / "initdb", "-D", self.folder / "data", "-U", "postgres", "--auth=trust",
                        "--no-sync", "-E", "SQL_ASCII", "--locale=C"], check=True, capture_output=True, cwd="/")
        self.process = subprocess.Popen(
            [*self.other, self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses=",
             "-c", "fsync=off", "-c", "max_connections=200"], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.address = f"postgresql://postgres@/postgres?host={self.folder}"
        for _ in range(200):
            if subprocess.run([*self.other, self.programs / "pg_isready", "-h", self.folder], capture_output=True, cwd="/").returncode == 0:
                return
            time.sleep(0.1)
        hold(False, "PostgreSQL does not start")

    def ask(self, query):
        return subprocess.run([*self.other, self.programs / "psql", "-XAtq", "-h", self.folder, "-U", "postgres", "-c", query],
                              check=True, capture_output=True, text=True, cwd="/").stdout.strip()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def killed(lab, words, typed, delay):
    """Whether the command reported success before it was killed."""
    child = lab.start(*words, start_new_session=True, typed=typed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return child.wait(timeout=delay) == 0
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait() == 0


def kill_journalled(lab, source, rounds, state, counts):
    """A change and its journal entry, whose undo restores the previous state, both exist, or neither does."""
    lab.sign_in()
    cache = ROOT / "Tests/TestSamples/Samples/caches/synth_java_style_cache.json"
    shutil.copy(cache, lab.folder / "cache.json")
    durations = {}
    for _ in range(rounds):
        words = source.choice(JOURNALLED)
        if "CREDENTIAL" in words:
            credentials = re.findall(rb'"id" : "(.*?)"', lab.run("tokens", "--json", wants=(0,)).stdout)
            words = [source.choice(credentials).decode() if word == "CREDENTIAL" else word for word in words]
        typed, name = (PASSWORD + "\n").encode(), " ".join(map(str, words[:1 if words[0] in (*SHORT, "undo") else 2]))
        before, content = state.read()
        if name not in durations:
            start = time.time()
            done = lab.run(*words, typed=typed)
            hold(done.returncode in (0, 1, 3), f"{words}: {done.returncode} {done.stderr.decode()}")
            durations[name], acknowledged = time.time() - start, done.returncode == 0
        else:
            start = time.time()
            acknowledged = killed(lab, words, typed, source.uniform(0, 1.1) * durations[name])
            if acknowledged: durations[name] = min(durations[name], time.time() - start)
            counts["killed" if not acknowledged else "done"] += 1
        counts[name] = counts.get(name, 0) + 1
        after, changed = state.read()
        if words == ["undo"]:
            hold(not acknowledged or changed != content, "an acknowledged undo is lost")
            if changed != content: lab.run("redo", wants=(0,))
            continue
        hold(not acknowledged or after > before, f"{words}: it was acknowledged, and is lost")
        if after > before:
            hold(after == before + 1, f"{words}: {after - before} entries in the journal")
            lab.run("undo", wants=(0,))
        hold(state.read()[1] == content, f"{words}: half of it is there ({'undone' if after > before else 'nothing in the journal'})")


def kill_file_writers(lab, source, rounds, counts):
    """A file is the old one, the new one, or does not exist, and nothing is left beside it in the end."""
    lab.sign_in()
    writers = {"cache.json": ["export", "-o"], "ca.pem": ["ca", "export", "-o"], "demo.cast": ["demo", "two-vendors", "--record"],
               "report.xml": ["scenario", "run", "contoso-suite", "--report", "junit"], "lab.key": ["key", "export", "-o"],
               "clean.har": ["read", ROOT / "Tests/Fuzz/Seeds/recording/refresh.har", "--redact"]}
    ends = {"cache.json": b"}", "ca.pem": b"-----END CERTIFICATE-----", "demo.cast": b"]", "report.xml": b"</testsuites>",
            "lab.key": b"", "clean.har": b"}"}
    durations = {}
    for _ in range(rounds):
        name = source.choice(list(writers))
        file = lab.folder / name
        if name in ("lab.key", "clean.har"): file.unlink(missing_ok=True)
        words = [*writers[name], name]
        if name not in durations:
            start = time.time()
            lab.run(*words, wants=(0, 1))
            durations[name] = time.time() - start
            continue
        counts["done" if killed(lab, words, b"", source.uniform(0, 1.1) * durations[name]) else "killed"] += 1
        counts[words[0]] = counts.get(words[0], 0) + 1
        hold(not file.exists() or (file.stat().st_size > 0 and file.read_bytes().rstrip().endswith(ends[name])), f"{name}: half a file")
    for name, words in writers.items():
        if name in ("lab.key", "clean.har"): (lab.folder / name).unlink(missing_ok=True)
        lab.run(*words, name, wants=(0, 1))
    left = [file.name for file in lab.folder.iterdir() if file.name.endswith(("~", ".lockfile"))]
    hold(not left, f"left behind: {left}")


def kill_labs(lab, source, rounds, counts):
    """A lab whose creation, copy, or removal was killed can be created again."""
    lab.run("clock", "+1s", wants=(0,))
    duration = 1.0
    for number in range(rounds):
        name = f"lab{number}"
        start = time.time()
        if killed(lab, ["lab", "create", name], b"", source.uniform(0.05, 1.3) * duration if number else 60):
            counts["done"] += 1
            duration = min(duration, time.time() - start)
            lab.run("status", "--store", lab.folder / f"{name}.sqlite", wants=(0,))
            counts["done" if killed(lab, ["lab", "remove", name, "--yes"], b"", source.uniform(0, duration)) else "killed"] += 1
        else:
            counts["killed"] += 1
            made = lab.run("lab", "create", name, wants=(0, 5))
            hold(made.returncode == 0 or lab.run("status", "--store", lab.folder / f"{name}.sqlite").returncode == 0, made.stderr)
        counts["lab"] = counts.get("lab", 0) + 1


def commands(source, quick):
    counts = {"done": 0, "killed": 0}
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        kill_journalled(lab, source, 40 if quick else 4000, FileState(lab), counts)
        lab.check()
    with tempfile.TemporaryDirectory() as folder:
        kill_file_writers(Lab(folder), source, 12 if quick else 1500, counts)
    with tempfile.TemporaryDirectory() as folder:
        kill_labs(Lab(folder), source, 4 if quick else 500, counts)
    print(f"  in files: {counts}", flush=True)
    counts = {"done": 0, "killed": 0}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        server = Server(folder)
        try:
            lab = Lab(home)
            lab.environment["SSOTERM_STORE"] = server.address
            kill_journalled(lab, source, 15 if quick else 4000, ServerState(server), counts)
        finally:
            server.end()
    print(f"  on a server: {counts}", flush=True)
