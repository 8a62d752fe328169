"""A team's lab: PostgreSQL with a standby, two servers, and HAProxy in front of them."""
import os, pathlib, pwd, shutil, signal, socket, subprocess, time

from lab import PROGRAM, Lab

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{condition} did not come"
        time.sleep(.05)


class Database:
    """One PostgreSQL server, in its own folder. It refuses to run as root."""

    def __init__(self, folder, of=None, durable=False, **settings):
        """`of`: the primary whose standby it is. Tests need no disk; figures do."""
        self.folder, self.port, self.process, self.durable = folder, free_port(), None, durable
        self.settings = settings
        self.data = folder / "data"
        folder.mkdir()
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        if of:
            self.run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d", of.address)
        else:
            self.run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "SQL_ASCII",
                     "--locale=C")
        self.start()

    def user(self):
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []

    def run(self, program, *arguments):
        subprocess.run([*self.user(), PROGRAMS / program, *map(str, arguments)], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def start(self):
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "",
                    "fsync": "on" if self.durable else "off", "max_connections": 100, **self.settings}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self.process = subprocess.Popen([*self.user(), PROGRAMS / "postgres", "-D", self.data, *options], cwd="/",
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        wait_for(self.answers)

    def answers(self):
        return subprocess.run([PROGRAMS / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0

    @property
    def address(self):
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def sql(self, statement):
        return subprocess.run(["psql", "-X", "-A", "-t", "-c", statement, self.address], check=True, text=True,
                              capture_output=True).stdout.strip()

    def end(self, how=signal.SIGINT):
        """`SIGKILL`: the machine is gone, with all processes of the server."""
        if self.process.poll() is None:
            if how == signal.SIGKILL:
                os.killpg(self.process.pid, how)
            else:
                self.process.send_signal(how)
            self.process.wait(timeout=60)


class TeamLab(Lab):
    """The programs know only the balancer's port; connections go to two servers in turn."""

    def __init__(self, folder, *options):
        self.primary = Database(folder / "primary")
        self.standby = Database(folder / "standby", of=self.primary)
        # A commit is acknowledged when the standby has it too.
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        hosts = ",".join(f"127.0.0.1:{database.port}" for database in (self.primary, self.standby))
        self.url = f"postgresql://postgres@{hosts}/postgres?lab=team&target_session_attrs=read-write"
        self.state, self.ports, self.servers = folder / "state", [free_port(), free_port()], [None, None]
        self.public_port, self.balancer = free_port(), None
        try:
            super().__init__(folder, *options)
        except BaseException:
            self.end()
            raise

    @property
    def environment(self):
        return {**os.environ, "SSOTERM_STORE": self.url, "XDG_STATE_HOME": str(self.state)}

    def start(self):
        self.port = self.public_port
        for number in (0, 1):
            self.start_server(number)
        self.start_balancer()

    def start_server(self, number):
        arguments = [PROGRAM, "serve", "--create", "--port", self.ports[number], "--public-port", self.port, *self.options]
        with open(self.log, "a") as log:
            server = subprocess.Popen(list(map(str, arguments)), env=self.environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=log, start_new_session=True)
        assert server.stdout.readline().startswith(b"https://"), self.log.read_text()
        self.servers[number] = server

    def start_balancer(self):
        settings = self.log.parent / "haproxy.cfg"
        servers = "\n".join(f"  server s{port} 127.0.0.1:{port} check inter 500ms fall 3 rise 1" for port in self.ports)
        settings.write_text(f"""defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
listen lab
  bind 127.0.0.1:{self.port}
  balance roundrobin
{servers}
""")
        self.balancer = subprocess.Popen(["haproxy", "-f", settings, "-q"], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens():
            with socket.socket() as attempt:
                return attempt.connect_ex(("127.0.0.1", self.port)) == 0
        wait_for(listens)

    def fail_over(self):
        """The primary disappears without notice, and the standby takes its place."""
        self.primary.end(signal.SIGKILL)
        self.standby.sql("SELECT pg_promote()")

    def end(self, how=signal.SIGTERM):
        for process in (*self.servers, self.balancer):
            if process and process.poll() is None:
                process.send_signal(how)
                process.wait(timeout=60)
        for database in (self.standby, self.primary):
            database.end()
        return 0


missing = [name for name, found in (("postgresql", PROGRAMS), ("haproxy", shutil.which("haproxy"))) if not found]
