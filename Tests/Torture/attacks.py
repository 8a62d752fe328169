"""The attacks of the second round, E1 to E13 and some new ones, each tried on the built program.

A team's database, its addresses, the broker's callers, recordings, keys from other machines, and names that are not
UTF-8 are here; the attacks on files and children are in files.py.
"""
import contextlib, http.server, json, os, pathlib, pwd, resource, shutil, socket, struct, subprocess, tempfile, threading, time

from files import active_text, children, signals, special_files
from lab import PROGRAM, Lab, hold

POSTGRES = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)
SECRET = "hush-4711"


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        hold(time.monotonic() < end, what)
        time.sleep(.05)


# MARK: A team's database

class Database:
    """A PostgreSQL server on a Unix socket, in a separate folder. It refuses to run as root."""

    def __init__(self, folder, of=None, **settings):
        self.folder, self.settings, self.process = folder, settings, None
        folder.mkdir()
        if os.geteuid() == 0:
            for path in (folder, *folder.parents):
                if path == pathlib.Path(tempfile.gettempdir()): break
                path.chmod(0o755)
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        if of:
            self.run("pg_basebackup", "-D", folder / "data", "-R", "-X", "stream", "-c", "fast", "-h", of.folder, "-U", "postgres")
        else:
            self.run("initdb", "-D", folder / "data", "-U", "postgres", "--auth=trust", "--no-sync", "-E", "SQL_ASCII", "--locale=C")
        self.start()

    def run(self, program, *words):
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        subprocess.run([*user, POSTGRES / program, *map(str, words)], check=True, cwd="/", stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def start(self):
        settings = {"listen_addresses": "", "unix_socket_directories": self.folder, "max_connections": 50, **self.settings}
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [*user, POSTGRES / "postgres", "-D", self.folder / "data", *(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))],
            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        until(lambda: subprocess.run([POSTGRES / "pg_isready", "-q", "-h", self.folder]).returncode == 0, 30, "PostgreSQL does not start")

    def end(self, how=2):
        """`how`: SIGINT, or SIGKILL to simulate a machine that has failed."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, how) if how == 9 else self.process.send_signal(how)
            self.process.wait(timeout=60)

    def sql(self, statement, person="postgres", wants=(0,)):
        done = subprocess.run([POSTGRES / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", person, "-d", "postgres", "-c", statement],
                              text=True, capture_output=True, timeout=60)
        hold(done.returncode in wants, f"{statement}: {done.stderr}")
        return done.stdout.strip() if done.returncode == 0 else done.stderr

    def address(self, person="postgres", lab="team", more=""):
        return f"postgresql://{person}@/postgres?host={self.folder}&lab={lab}{more}"


@contextlib.contextmanager
def database(lab, **settings):
    if POSTGRES is None:
        yield None
        return
    place = pathlib.Path(tempfile.mkdtemp(prefix="pg"))
    server = Database(place / "p", **settings)
    try:
        yield server
    finally:
        server.end()
        shutil.rmtree(place, ignore_errors=True)


def grants(lab):
    """E1: with the recommended rights, no member can run code as another; existing code is refused by name."""
    with database(lab, fsync="off") as server:
        if not server: return "no PostgreSQL"
        server.sql("CREATE ROLE olga LOGIN; CREATE ROLE mallory LOGIN; GRANT CREATE ON DATABASE postgres TO olga; "
                   "CREATE SCHEMA tricks; GRANT ALL ON SCHEMA tricks TO mallory")
        olga, mallory = server.address("olga"), server.address("mallory")
        lab.run("status", "--create", "--store", olga, wants=(0,))
        server.sql("GRANT USAGE ON SCHEMA ssoterm_team TO mallory; GRANT SELECT ON ALL TABLES IN SCHEMA ssoterm_team TO mallory", "olga")
        refused = lab.run("clock", "+1s", "--store", mallory, wants=(2,)).stderr.decode()
        advice = refused.split(" -c ")[1].strip().strip("'")
        server.sql(advice, "olga")
        lab.run("clock", "+1s", "--store", mallory, wants=(0,))
        server.sql("CREATE FUNCTION tricks.evil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN CREATE TABLE public.ran AS SELECT current_user; RETURN NEW; END'",
                   "mallory")
        trigger = "CREATE TRIGGER evil BEFORE UPDATE ON ssoterm_team.counter FOR EACH ROW EXECUTE FUNCTION tricks.evil()"
        hold("permission denied" in server.sql(trigger, "mallory", wants=(1, 3)), "mallory may create a trigger")
        # A lab whose owner followed the earlier advice.
        server.sql("GRANT ALL ON ALL TABLES IN SCHEMA ssoterm_team TO mallory", "olga")
        noted = lab.run("status", "--store", olga, wants=(0,)).stderr.decode()
        hold("mallory may add triggers" in noted and "REVOKE TRIGGER" in noted, noted)
        replaced = ("CREATE OR REPLACE TRIGGER item_counted AFTER INSERT OR DELETE ON ssoterm_team.item FOR EACH ROW "
                    "WHEN (set_config('x.y', 'evil', false) <> '') EXECUTE FUNCTION ssoterm_team.item_counted()")
        ways = [(trigger, "DROP TRIGGER evil ON ssoterm_team.counter", "the trigger evil on counter"),
                ("CREATE RULE evil AS ON UPDATE TO ssoterm_team.counter DO ALSO SELECT 1", "DROP RULE evil ON ssoterm_team.counter", "the rule evil"),
                ("CREATE FUNCTION ssoterm_team.lower(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'", "DROP FUNCTION ssoterm_team.lower(bytea)",
                 "the function lower of"), (replaced, None, "the trigger item_counted on item")]
        for way, undo, name in ways:
            owner = "olga" if "RULE" in way or "FUNCTION ssoterm" in way and "TRIGGER" not in way else "mallory"
            server.sql(way, owner)
            for words in (["status"], ["clock", "+1s"]):
                found = lab.run(*words, "--store", olga, wants=(5,)).stderr.decode()
                hold(name in found and "run as olga" in found, f"{way}: {found}")
            if undo: server.sql(undo, "olga")
        hold(server.sql("SELECT to_regclass('public.ran') IS NULL") == "t", "a trigger ran")
        return f"{len(ways)} ways"


def durability(lab):
    """E4: a commit survives a crash whatever the server's default; a replaced primary is not used silently."""
    with database(lab, synchronous_commit="off", wal_writer_delay="10s") as server:
        if not server: return "no PostgreSQL"
        lab.run("status", "--create", "--store", server.address(), wants=(0,))
        server.sql("CHECKPOINT")
        for _ in range(3): lab.run("clock", "+1s", "--store", server.address(), wants=(0,))
        server.end(9)
        (server.folder / "data/postmaster.pid").unlink(missing_ok=True)
        server.start()
        kept = json.loads(lab.run("clock", "show", "--json", "--store", server.address(), wants=(0,)).stdout)["clockOffset"]
        hold(kept == 3, f"3 acknowledged, {kept} there")
        standby = Database(server.folder.parent / "s", of=server)
        try:
            both = f"postgresql://postgres@/postgres?host={server.folder},{standby.folder}&lab=team"
            lab.run("clock", "+1s", "--store", both, wants=(0,))
            until(lambda: server.sql("SELECT replay_lsn = pg_current_wal_lsn() FROM pg_stat_replication") == "t", 30, "no standby")
            server.end(9)
            standby.sql("SELECT pg_promote()")
            lab.run("clock", "+1s", "--store", both, wants=(0,))
            (server.folder / "data/postmaster.pid").unlink(missing_ok=True)
            server.start()
            for words in (["status"], ["clock", "+1s"]):
                found = lab.run(*words, "--store", both, wants=(5,)).stderr.decode()
                hold("timeline 2 or later" in found and "timeline 1" in found, found)
            lab.run("clock", "+1s", "--store", standby.address(), wants=(0,))
        finally:
            standby.end()
    return "a crash and a failover"


def locks(lab):
    """E5: a user who may only connect cannot stop a writer, and a waiting writer sees who is writing."""
    with database(lab, fsync="off") as server:
        if not server: return "no PostgreSQL"
        server.sql("CREATE ROLE eve LOGIN; CREATE ROLE olga LOGIN; GRANT CREATE ON DATABASE postgres TO olga")
        lab.run("status", "--create", "--store", server.address("olga"), wants=(0,))
        hold_lock = "SELECT pg_advisory_lock(hashtextextended('ssoterm_team', 0)); SELECT pg_sleep(60)"
        eve = subprocess.Popen([POSTGRES / "psql", "-Xq", "-h", server.folder, "-U", "eve", "-d", "postgres", "-c", hold_lock], stdout=subprocess.DEVNULL)
        try:
            until(lambda: server.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == "1", 20, "no lock")
            start = time.monotonic()
            lab.run("clock", "+1s", "--store", server.address("olga"), wants=(0,))
            hold(time.monotonic() - start < 10, "the writer waited")
            hold("permission denied" in server.sql("SELECT FROM ssoterm_team.counter FOR UPDATE", "eve", wants=(1, 3)), "eve may lock the row")
        finally:
            eve.kill()
            eve.wait()
        server.sql("GRANT USAGE ON SCHEMA ssoterm_team TO eve; GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA ssoterm_team TO eve", "olga")
        writer = subprocess.Popen([POSTGRES / "psql", "-Xq", "-h", server.folder, "-U", "eve", "-d", "postgres", "-c",
                                   "SELECT FROM ssoterm_team.counter FOR UPDATE; SELECT pg_sleep(8)"],
                                  env={**os.environ, "PGAPPNAME": "eves-program"}, stdout=subprocess.DEVNULL)
        try:
            until(lambda: "eves-program" in server.sql("SELECT string_agg(application_name, ' ') FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'"),
                  20, "no writer")
            waited = lab.run("clock", "+1s", "--store", server.address("olga"), wants=(0,)).stderr.decode()
            hold("another writer has the lab: eves-program" in waited, waited)
        finally:
            writer.kill()
            writer.wait()
    return "advisory and row locks"


# MARK: Addresses

def passwords(lab):
    """E6: a password in any spelling of an address is not in a message, a file name, or a process title."""
    place = f"127.0.0.1:1/qa?connect_timeout=2&lab=x"
    spellings = [
        f"postgresql://ada:{SECRET}@{place}", f"postgres://ada:{SECRET}@{place}", f"POSTGRESQL://ada:{SECRET}@{place}",
        f"Postgres://ada:{SECRET}@{place}", f"postgresql://ada:a@{SECRET}@{place}", f"postgresql://ada:{SECRET}@b@{place}",
        f"postgresql://ada:a?{SECRET}@{place}", f"postgresql://ada:{SECRET}?b@{place}", f"postgresql://ada:a/{SECRET}@{place}",
        f"postgresql://ada:{SECRET}/b@{place}", f"postgresql://ada:a#{SECRET}@{place}", f"postgresql://ada:{SECRET}",
        f"postgresql://127.0.0.1:1/qa?password={SECRET}", f"postgresql://127.0.0.1:1/qa?PASSWORD={SECRET}",
        f"postgresql://127.0.0.1:1/qa?%70assword={SECRET}", f"postgresql://127.0.0.1:1/qa?sslpassword={SECRET}",
        f"pg://ada:{SECRET}@h/qa", f"pgsql:host=h;password={SECRET}", f"jdbc:postgresql://h/qa?user=ada&password={SECRET}",
        f" postgresql://ada:{SECRET}@{place}", f"\tpostgres://ada:{SECRET}@{place}", f"postgresql:/ada:{SECRET}@h/qa",
        f"postgresql:ada:{SECRET}@h/qa", f"host=127.0.0.1 port=1 password={SECRET}", f"HOST=h PASSWORD = '{SECRET}'",
        f"user=ada password={SECRET}", f"dbname='x' password='{SECRET}'", f"mysql://ada:{SECRET}@h/qa", f"psql:ada:{SECRET}@h/qa",
        f"./x?password={SECRET}"]
    for spelling in spellings:
        for words, more in ([("status", "--create"), None], [("paths",), None], [("lab", "list"), None], [("clock", "+1s"), None],
                            [("status", "--create", "--store", spelling), {}]):
            environment = {**lab.environment, "SSOTERM_STORE": spelling} if more is None else lab.environment
            for form in ((), ("--json",)):
                done = subprocess.run([PROGRAM, *words, *form], env=environment, cwd=lab.folder, capture_output=True, timeout=120,
                                      stdin=subprocess.DEVNULL)
                hold(SECRET.encode() not in done.stdout + done.stderr, f"{words} {spelling!r}: {done.stdout + done.stderr!r}")
                hold(done.returncode in (2, 3, 5) or words == ("paths",), f"{words} {spelling!r}: {done.returncode}")
    found = [path for path in pathlib.Path(lab.folder).rglob("*") if SECRET in str(path)]
    hold(not found, f"made: {found}")
    refused = lab.run("status", "--store", spellings[0], wants=(2,)).stderr.decode()
    hold("not accepted on the command line" in refused, refused)
    return f"{len(spellings)} spellings"


class HostileServer(threading.Thread):
    """A server of the PostgreSQL protocol that answers the first query with the output of `flood`, endlessly."""

    def __init__(self, flood):
        super().__init__(daemon=True)
        self.flood, self.socket = flood, socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.socket.accept()[0],), daemon=True).start()

    def serve(self, line):
        with contextlib.suppress(OSError), line:
            while True:
                length, = struct.unpack("!I", self.read(line, 4))
                code, = struct.unpack("!I", self.read(line, length - 4)[:4])
                if code != 80877103 and code != 80877104: break
                line.sendall(b"N")
            ready = b"Z\0\0\0\5I"
            settings = b"".join(message(b"S", name + b"\0" + value + b"\0") for name, value in
                                [(b"server_version", b"15.0"), (b"client_encoding", b"UTF8"), (b"server_encoding", b"UTF8")])
            line.sendall(message(b"R", b"\0\0\0\0") + settings + message(b"K", b"\0" * 8) + ready)
            line.recv(65536)
            for part in self.flood():
                line.sendall(part)

    @staticmethod
    def read(line, count):
        data = b""
        while len(data) < count:
            more = line.recv(count - len(data))
            if not more: raise OSError("closed")
            data += more
        return data


def message(kind, body): return kind + struct.pack("!I", len(body) + 4) + body


def rows():
    yield message(b"T", struct.pack("!H", 1) + b"a\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 0))
    row = message(b"D", struct.pack("!HI", 1, 1000) + b"x" * 1000) * 100
    while True: yield row


def one_row():
    yield message(b"T", struct.pack("!H", 1) + b"a\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 0))
    yield b"D" + struct.pack("!IHI", 1_000_000_010, 1, 1_000_000_000)
    while True: yield b"x" * 1_000_000


def long_error():
    yield b"E" + struct.pack("!I", 1_000_000_000) + b"SERROR\0C42000\0M"
    while True: yield b"x" * 1_000_000


def many_answers():
    while True: yield message(b"C", b"SELECT 0\0") * 1000


def notices():
    while True: yield message(b"N", b"SNOTICE\0C00000\0Mx\0\0") * 1000


def hostile_server(lab):
    """E11: whatever a server sends, the result is an error within seconds, with limited memory."""
    for flood in (rows, one_row, long_error, many_answers, notices):
        server = HostileServer(flood)
        server.start()
        child = lab.start("status", "--store", f"postgresql://ada@127.0.0.1:{server.port}/qa?lab=x&connect_timeout=5")
        peak, start = 0, time.monotonic()
        while child.poll() is None:
            with contextlib.suppress(OSError, IndexError):
                status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
                peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) // 1024)
            if peak > 600 or time.monotonic() - start > 45: child.kill()
            time.sleep(.02)
        said = child.communicate()[1].decode()
        server.socket.close()
        hold(child.returncode == 5 and peak < 600, f"{flood.__name__}: status {child.returncode}, {peak} MiB, {said}")
    return "5 floods"


# MARK: Recordings, keys, callers, and names

def recording(count, kind):
    """A recording with `count` requests, each with a unique code, state, and redirect URI."""
    def entry(number):
        app = f"https%3A%2F%2Fapp{number}.example%2Fcb"
        if kind == "token":
            return {"request": {"method": "POST", "url": "https://login.microsoftonline.com/common/oauth2/v2.0/token", "headers": [],
                                "postData": {"mimeType": "application/x-www-form-urlencoded",
                                             "text": f"grant_type=authorization_code&client_id=x&code=c{number}&redirect_uri={app}"}},
                    "response": {"status": 200, "headers": [], "content": {"text": "{}"}}}
        return {"startedDateTime": "2026-01-01T00:00:00Z",
                "request": {"method": "GET", "headers": [], "url": "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"
                            f"?client_id=x{number}&response_type=code&state=s{number}&redirect_uri={app}"},
                "response": {"status": 302, "headers": [{"name": "Location", "value": f"https://app{number}.example/cb?code=c{number}&state=s{number}"}],
                             "content": {"text": ""}}}
    return json.dumps({"log": {"version": "1.2", "entries": [entry(number) for number in range(count)]}})


def long_recordings(lab):
    """E7: reading a recording takes time in proportion to its length."""
    for kind in ("token", "authorize"):
        times = []
        for count in (1500, 6000):
            file = lab.folder / f"{kind}.har"
            file.write_text(recording(count, kind))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            lab.run("read", file, wants=(0, 1))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime - before.ru_utime)
        hold(times[1] < 8 * times[0] + 1, f"{kind}: 1,500 in {times[0]:.2f} s, 6,000 in {times[1]:.2f} s")
    return "1,500 and 6,000 requests"


class OtherServer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        body = json.dumps(self.server.document).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass


def serve(address, document):
    server = http.server.ThreadingHTTPServer((address, 0), OtherServer)
    server.document, server.asked = document, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def foreign_keys(lab):
    """E12: the discovery document of another machine does not cause a request to this machine."""
    if os.geteuid() != 0: return "needs root"
    # The other machine is a network namespace at the other end of a pair of interfaces.
    space, near, far = f"sso{os.getpid()}", f"n{os.getpid()}", f"f{os.getpid()}"
    def ip(*words): return subprocess.run(["ip", *words], capture_output=True).returncode == 0
    if not (ip("netns", "add", space) and ip("link", "add", near, "type", "veth", "peer", "name", far)): return "no network namespaces"
    try:
        ip("link", "set", far, "netns", space)
        for words in (["addr", "add", "10.99.0.2/30", "dev", near], ["link", "set", near, "up"],
                      ["-n", space, "addr", "add", "10.99.0.1/30", "dev", far], ["-n", space, "link", "set", far, "up"]):
            hold(ip(*words), f"ip {words}")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "k.pem", "-out", "c.pem", "-days", "2", "-subj", "/CN=x",
                        "-addext", "subjectAltName=IP:10.99.0.1"], cwd=lab.folder, check=True, capture_output=True)
        inner = serve("127.0.0.1", {"keys": []})
        token = lab.run("silent", "mytestapp1", "--print", "token").stdout.decode().strip() or "eyJhbGciOiJSUzI1NiJ9.e30.x"
        script = ("import http.server,ssl,sys\nclass H(http.server.BaseHTTPRequestHandler):\n  def do_GET(self):\n    b=open('doc').read().encode()\n"
                  "    self.send_response(200);self.send_header('Content-Length',str(len(b)));self.end_headers();self.wfile.write(b)\n"
                  "s=http.server.ThreadingHTTPServer(('10.99.0.1',8443),H)\nc=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER);c.load_cert_chain('c.pem','k.pem')\n"
                  "s.socket=c.wrap_socket(s.socket,server_side=True);print('on',flush=True);s.serve_forever()\n")
        other = subprocess.Popen(["ip", "netns", "exec", space, "python3", "-c", script], cwd=lab.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            hold(other.stdout.readline() == b"on\n", "the other machine does not serve")
            tried = 0
            for target in ("http://127.0.0.1", "http://localhost", "http://[::1]", "https://127.0.0.1", "https://localhost", "https://127.1.2.3",
                           "https://0.0.0.0", "https://10.99.0.2", "https://[::ffff:127.0.0.1]"):
                (lab.folder / "doc").write_text(json.dumps({"jwks_uri": f"{target}:{inner.server_address[1]}/secret"}))
                (lab.folder / "token").write_text(token)
                done = subprocess.run([PROGRAM, "token", "inspect", "token", "--keys", "https://10.99.0.1:8443"], cwd=lab.folder, capture_output=True,
                                      timeout=60, env={**lab.environment, "SSOTERM_CA": str(lab.folder / "c.pem")})
                hold(done.returncode == 2 and not inner.asked, f"{target}: {done.returncode} {done.stderr} {inner.asked}")
                hold(b"10.99.0.1:8443 does not answer" not in done.stderr, done.stderr)
                tried += 1
        finally:
            other.kill()
            other.wait()
            inner.shutdown()
    finally:
        ip("netns", "del", space)
        ip("link", "del", near)
    return f"{tried} spellings of this machine"




CALLER = r"""
import ctypes, os, sys, time
library, client, how = ctypes.CDLL("libdbus-1.so.3"), "04b07795-8ddb-461a-bbee-02f9e1bf7b46", sys.argv[1]
for name in ("dbus_bus_get", "dbus_message_new_method_call", "dbus_connection_send_with_reply_and_block"):
    getattr(library, name).restype = ctypes.c_void_p
error = ctypes.create_string_buffer(64)
line = ctypes.c_void_p(library.dbus_bus_get(0, error))
if how == "exec":
    time.sleep(.5)
    if os.fork():
        os.execv(sys.argv[2], [sys.argv[2], "-c", "import time; time.sleep(3)"])
    time.sleep(1)
name = b"com.microsoft.identity.broker1"
call = ctypes.c_void_p(library.dbus_message_new_method_call(name, b"/com/microsoft/identity/broker1", b"com.microsoft.identity.Broker1",
                                                            b"acquireTokenInteractively"))
body = ('{"authParameters":{"clientId":"%s","authority":"https://login.microsoftonline.com/common","redirectUri":'
        '"https://login.microsoftonline.com/common/oauth2/nativeclient","requestedScopes":["User.Read"]}}' % client).encode()
texts = [ctypes.byref(ctypes.c_char_p(text)) for text in (b"0.0", b"id-1", body)]
library.dbus_message_append_args(call, *(part for text in texts for part in (ord("s"), text)), 0)
reply = ctypes.c_void_p(library.dbus_connection_send_with_reply_and_block(line, call, 20000, error))
answer = ctypes.c_char_p()
library.dbus_message_get_args(reply, error, ord("s"), ctypes.byref(answer), 0)
print("token" if b'"accessToken"' in answer.value else "refused", flush=True)
"""


def allowed_programs(lab):
    """E8: neither another file at an allowed path in a namespace, nor a process that starts an allowed program later, gets a token."""
    if os.geteuid() != 0: return "needs root"
    (lab.folder / "caller.py").write_text(CALLER)
    allowed, evil = lab.folder / "allowed", lab.folder / "evil"
    for program in (allowed, evil): shutil.copy(os.path.realpath(shutil.which("python3")), program)
    lab.run("status", "--create", wants=(0,))
    lab.run("policy", "add", "Programs", "--require", "allowedExecutable", "--executable", allowed, wants=(0,))
    ways = {"the allowed program": [allowed, "caller.py", "plain"], "another program": [evil, "caller.py", "plain"],
            "another file at its path": ["unshare", "-m", "sh", "-c", f"mount --bind '{evil}' '{allowed}' && exec '{allowed}' caller.py plain"],
            "a process that starts it": [evil, "caller.py", "exec", allowed]}
    for way, words in ways.items():
        done = lab.run("broker", "serve", "--approve", "auto:ada@contoso.com", "--", *words, wants=(0,))
        wanted = b"token" if way == "the allowed program" else b"refused"
        hold(done.stdout.strip() == wanted, f"{way}: {done.stdout} {done.stderr}")
    return f"{len(ways) - 1} ways"


def names(lab):
    """E13: a name that is not UTF-8 is reported, and nothing is created; no library beside the program is loaded."""
    folder, name = os.fsencode(str(lab.folder)), b"caf\xe9"
    before = {"json": b"{}", "har": recording(1, "token").encode()}
    tried = 0
    for extension, body in before.items():
        with open(folder + b"/" + name + b"." + extension.encode(), "wb") as file: file.write(body)
    har, cache = name + b".har", name + b".json"
    for words in ([b"read", har], [b"view", cache], [b"import", cache], [b"token", b"inspect", cache], [b"cache", b"check", cache], [b"doctor", name],
                  [b"export", b"-o", name], [b"ca", b"export", b"-o", name], [b"demo", b"two-vendors", b"--record", name], [b"key", b"export", b"-o", name],
                  [b"status", b"--create", b"--store", name + b".sqlite"]):
        done = subprocess.run([os.fsencode(PROGRAM), *words], env=lab.environment, cwd=lab.folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        hold(done.returncode == 2 and b"not UTF-8" in done.stderr, f"{words}: {done.returncode} {done.stderr}")
        tried += 1
    done = subprocess.run([PROGRAM, "status", "--create"], env={**os.environb, b"SSOTERM_STORE": folder + b"/" + name + b".sqlite"}, capture_output=True)
    hold(done.returncode == 2 and b"SSOTERM_STORE" in done.stderr, done.stderr)
    made = [entry for entry in os.listdir(folder) if b"\xef\xbf\xbd" in entry]
    hold(not made, f"made: {made}")
    return f"{tried} commands{planted(lab)}"


def planted(lab):
    """Libraries beside the program. A developer's build loads its own from there, but users do not install such a build."""
    dynamic = subprocess.run(["readelf", "-W", "-d", PROGRAM], capture_output=True, text=True).stdout
    if "$ORIGIN" in dynamic:
        hold("libswiftCore" in dynamic, "the program loads libraries from its own folder")
        return ", no libraries: a developer's build"
    beside = lab.folder / "bin"
    beside.mkdir()
    shutil.copy(PROGRAM, beside)
    (lab.folder / "evil.c").write_text('#include <stdio.h>\n__attribute__((constructor)) static void f(void){fclose(fopen("ran","w"));}\n')
    for library in ("libpq.so.5", "libdbus-1.so.3"):
        subprocess.run(["cc", "-shared", "-fPIC", "-o", beside / library, "evil.c"], cwd=lab.folder, check=True)
    for words in (["status", "--store", "postgresql://ada@127.0.0.1:1/qa?lab=x"], ["broker", "serve", "--", "true"]):
        subprocess.run([beside / pathlib.Path(PROGRAM).name, *words], env=lab.environment, cwd=lab.folder, capture_output=True, timeout=60)
    hold(not (lab.folder / "ran").exists(), "a library beside the program ran")
    return " and 2 libraries"


# MARK: The new attacks of that round

def few_files(lab):
    """N1: a recording without room for open files is an error, not a trap."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    done = subprocess.run([PROGRAM, "demo", "two-vendors", "--record", "x.cast"], env=lab.environment, cwd=lab.folder, preexec_fn=limit,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    hold(done.returncode > 1 and b"ulimit -n" in done.stderr, f"{done.returncode} {done.stderr}")
    return "4 descriptors"


def passwords_of_urls(lab):
    """N2: the user information of a URL in a recording is not in any output."""
    entry = json.loads(recording(1, "token"))
    request = entry["log"]["entries"][0]["request"]
    request["url"] = request["url"].replace("https://", f"https://ada:{SECRET}@")
    (lab.folder / "x.har").write_text(json.dumps(entry))
    for form in ([], ["--json"], ["--redact", "clean.har"]):
        done = lab.run("read", "x.har", *form, wants=(0, 1))
        hold(SECRET.encode() not in done.stdout + done.stderr, f"{form}: {done.stdout}")
    hold(SECRET not in (lab.folder / "clean.har").read_text(), "the cleaned recording has it")
    return "3 outputs"


def endless_token(lab):
    """N6: an endless standard input is refused after the maximum length of a token."""
    zero = open("/dev/zero", "rb")
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    done = subprocess.run([PROGRAM, "token", "inspect", "-"], env=lab.environment, cwd=lab.folder, stdin=zero, capture_output=True, timeout=30,
                          preexec_fn=limit)
    hold(done.returncode == 2 and b"more than 1 MiB" in done.stderr, f"{done.returncode} {done.stderr}")
    return "/dev/zero"


def bus_addresses(lab):
    """N7: a bus address in a lab does not run a program as the user who looks for the broker."""
    script = lab.folder / "program"
    script.write_text(f"#!/bin/sh\ntouch '{lab.folder}/ran'\n")
    script.chmod(0o755)
    lab.run("status", "--create", wants=(0,))
    environment = {**lab.environment, "DBUS_SESSION_BUS_ADDRESS": f"unixexec:path={script}"}
    subprocess.run([PROGRAM, "broker", "serve", "--bus", "session", "--", "true"], env=environment, cwd=lab.folder, capture_output=True, timeout=60)
    (lab.folder / "ran").unlink(missing_ok=True)  # the server named the bus; the next user only reads the lab
    lab.run("broker", "env", wants=(3,))
    hold(not (lab.folder / "ran").exists(), "the program ran")
    return "unixexec"


def environment_of_two(lab):
    """N8: with a second confidential client, each variable still has one value."""
    lab.run("federation", "add", "04b07795-8ddb-461a-bbee-02f9e1bf7b46", "--subject", "s", wants=(0,))
    found = json.loads(lab.run("serve", "env", "--json", wants=(0,)).stdout)
    hold(found["variables"]["SSOTERM_CONFIDENTIAL_ID"].startswith("44444444"), found)
    return "serve env"


NEW = [("N1", few_files), ("N2", passwords_of_urls), ("N6", endless_token), ("N7", bus_addresses), ("N8", environment_of_two)]
ATTACKS = [("E1", grants), ("E2", special_files), ("E3", children), ("E4", durability), ("E5", locks), ("E6", passwords),
           ("E7", long_recordings), ("E8", allowed_programs), ("E9", signals), ("E10", active_text), ("E11", hostile_server),
           ("E12", foreign_keys), ("E13", names)]
# The part `files` tries these too.
OF_FILES = {special_files, children, signals, active_text}


def attacks(source, quick):
    tried = [entry for entry in NEW + ATTACKS if not quick or entry[1] not in OF_FILES]
    for name, attack in tried:
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(folder)
            if attack in OF_FILES: lab.sign_in()
            print(f"  {name}: mended ({attack(lab)})", flush=True)
    print(f"  {len([entry for entry in tried if entry in ATTACKS])} × mended")
