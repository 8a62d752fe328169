"""Full disks, damaged stores, hostile files, and a search for secrets."""
import base64, concurrent.futures, fcntl, json, os, pathlib, pty, random, re, select, shutil, signal, socket, sqlite3, ssl, struct
import subprocess, tempfile, termios, time
import urllib.parse, urllib.request

from lab import APP, PASSWORD, PERSON, PROGRAM, READERS, ROOT, Lab, ask, hold

CORPUS, SEEDS = ROOT / "Tests/TestSamples/Samples/corpus", ROOT / "Tests/Fuzz/Seeds"


def disk(source, quick):
    """An intent with more and more disk space: it is performed or not, and the store is readable in between."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        print("  left out: only root may mount a disk")
        return
    with tempfile.TemporaryDirectory() as folder:
        origin = Lab(folder)
        origin.sign_in()
        mount = pathlib.Path(folder) / "disk"
        mount.mkdir()
        rooms = range(0, 200, 24) if quick else range(0, 400, 4)
        outcomes = {0: 0, 5: 0}
        for room in rooms:
            size = sum((file.stat().st_size + 4095) // 4096 * 4 for file in origin.folder.glob("s.sqlite*"))
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size + room + 4}k", "tmpfs", mount], check=True)
            try:
                for file in origin.folder.glob("s.sqlite*"):
                    shutil.copy2(file, mount)
                lab = Lab(mount)
                lab.environment["HOME"] = lab.environment["TMPDIR"] = folder
                before = lab.run("tokens", "--json", wants=(0,)).stdout
                status = lab.run("signout", APP, wants=(0, 5)).returncode
                outcomes[status] += 1
                lab.run("status", wants=(0,))
                after = lab.run("tokens", "--json", wants=(0,)).stdout
                names = lambda text: re.findall(rb'"id" : "(.*?)"', text)
                hold(status == 0 or names(before) == names(after), f"{room} KiB: half a sign-out")
                subprocess.run(["mount", "-o", "remount,size=64m", mount], check=True)
                lab.check()
            finally:
                subprocess.run(["umount", "-l", mount], check=True)
        print(f"  {len(rooms)} sizes: {outcomes[0]} intents done, {outcomes[5]} refused")


def damage(source, quick):
    values = ["NULL", "9223372036854775807", "-9223372036854775808", "-1", "1e300", "'x'", "x'00'", "zeroblob(99999)", "randomblob(40)"]
    with tempfile.TemporaryDirectory() as folder:
        origin = Lab(folder)
        origin.sign_in()
        origin.run("silent", APP, wants=(0,))
        origin.run("status", wants=(0,))
        rounds = 25 if quick else 1500
        for number in range(rounds):
            lab = Lab(folder, "damaged.sqlite")
            for ending in ("", ".key", "-wal", "-shm"):
                lab.store.with_name(lab.store.name + ending).unlink(missing_ok=True)
            for ending in ("", ".key"):
                shutil.copy2(f"{origin.store}{ending}", f"{lab.store}{ending}")
            if number % 2:
                body = bytearray(lab.store.read_bytes())
                for _ in range(source.randint(1, 8)):
                    body[source.randrange(len(body))] ^= 1 << source.randrange(8)
                lab.store.write_bytes(body)
            else:
                with sqlite3.connect(lab.store) as database:
                    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                    table = source.choice([name for name in tables if not name.startswith("sqlite_")])
                    column = source.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
                    try:
                        database.execute(f"UPDATE OR IGNORE {table} SET {column} = {source.choice(values)}"
                                         if source.random() < 0.9 else f"PRAGMA user_version = {source.randint(-9, 9)}")
                    except sqlite3.IntegrityError:
                        pass                             # the column rejects the value
                database.close()
            command = source.choice(READERS + ["undo", "clock +1s", f"silent {APP}", f"forget {PERSON} --yes"])
            done = lab.run(*command.split())
            hold(done.returncode in (0, 1, 2, 3, 4, 5, 7), f"{command}: {done.returncode}")
            hold(b"Fatal error" not in done.stderr, command)
        print(f"  {rounds} damaged stores")


def mutated(source, body):
    body = bytearray(body)
    for _ in range(source.randint(1, 6)):
        place = source.randrange(len(body) + 1)
        kind = source.randrange(5)
        if kind == 0 and place < len(body): body[place] = source.randrange(256)
        elif kind == 1: del body[place:place + source.randint(1, 20)]
        elif kind == 2: body[place:place] = body[place:place + source.randint(1, 60)]
        elif kind == 3: body[place:place] = source.choice([b"9" * 30, b"-1", b"1e999", b"\x00", b"\xff", b"[" * 70, b"\r*a,", b"\xe2\x80\xae"])
        else: del body[place:]
    return bytes(body)


def inputs(source, quick):
    """The corpus and its mutations, for the commands that read files; the Swift tests do the same in memory."""
    readers = {".json": ["view {}", "cache check {}", "import {}", "view {} --json"], ".log": ["read {}", "read {} --json"],
               ".har": ["read {}", "read {} --json"], ".yaml": ["scenario show {}", "config check {}"]}
    files = [file for file in sorted([*CORPUS.iterdir(), *SEEDS.glob("*/*")]) if file.suffix in readers]
    hold(len(files) > 15, "the corpus is missing")
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        rounds = 30 if quick else 3000
        for number in range(len(files) + rounds):
            file = files[number] if number < len(files) else source.choice(files)
            body = file.read_bytes() if number < len(files) else mutated(source, file.read_bytes())
            target = lab.folder / ("input" + file.suffix)
            target.write_bytes(body)
            command = source.choice(readers[file.suffix]).format(target)
            start = time.time()
            done = lab.run(*command.split())
            hold(done.returncode in (0, 1, 2, 3) and time.time() - start < 20, f"{command}: {done.returncode}, {body[:200]!r}")
            hold(not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8b-\x8d\x8f\xa8-\xae]", done.stdout), f"{command}: a control character")
    print(f"  {len(files) + rounds} files")
    requests(source, 60 if quick else 20_000)
    for _ in range(0 if quick else 20):
        variables = {**os.environ, "SSOTERM_FUZZ": str(source.randrange(1 << 32))}
        print(f"  SSOTERM_FUZZ={variables['SSOTERM_FUZZ']} swift test --filter 'FuzzTests|HostileArchiveTests'", flush=True)
        done = subprocess.run(["swift", "test", "--skip-build", "--filter", "FuzzTests|HostileArchiveTests"], cwd=ROOT,
                              env=variables, capture_output=True, text=True)
        hold(done.returncode == 0, done.stdout[-2000:])


def requests(source, rounds):
    """Mutated HTTP requests to a server, which still responds afterwards."""
    form = b"grant_type=password&client_id=x&username=a%40b&password=p&scope=openid"
    heads = [b"GET /common/oauth2/v2.0/authorize?client_id=x&response_type=code&redirect_uri=http%3A%2F%2Flocalhost&scope=openid&state=s HTTP/1.1\r\n",
             b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n" % len(form),
             b"POST /register HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n", b"GET /common/.well-known/openid-configuration HTTP/1.1\r\n",
             b"POST /login HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"]
    bodies = [b"", form, b"{}", b"", b"5\r\nflow=\r\n0\r\n\r\n"]
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        server, port = lab.serve()
        def made():
            kind = source.randrange(len(heads))
            request = heads[kind] + b"Host: localhost:%d\r\nCookie: ESTSAUTH=x\r\nConnection: close\r\n\r\n" % port + bodies[kind]
            return mutated(source, request)

        def is_answered(request):
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=10) as bare:
                    with ssl._create_unverified_context().wrap_socket(bare, server_hostname="localhost") as line:
                        line.sendall(request)
                        line.settimeout(0.2)
                        return line.recv(20)[:5] == b"HTTP/"
            except OSError:
                return False

        answered = 0
        with concurrent.futures.ThreadPoolExecutor(16) as senders:
            for first in range(0, rounds, 100):
                batch = [made() for _ in range(min(100, rounds - first))]
                answered += sum(senders.map(is_answered, batch))
                hold(server.poll() is None, f"the server ended: {server.returncode}, one of {batch!r}")
        context = ssl._create_unverified_context()
        with urllib.request.urlopen(f"https://localhost:{port}/common/v2.0/.well-known/openid-configuration", timeout=20, context=context) as answer:
            hold(json.load(answer)["issuer"], "no answer")
        server.terminate()
        hold(server.wait(timeout=30) in (0, -signal.SIGTERM), "the server does not end")
        lab.check()
    print(f"  {rounds} requests, {answered} answered")


def secrets(source, quick):
    """A session with every kind of secret, none of which is in the program's files or output unless it was requested."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        said = [lab.sign_in().stdout, lab.sign_in().stderr]
        server, port = lab.serve()
        values = json.loads(lab.run("serve", "env", "--json", "--unmask", wants=(0,)).stdout)["variables"]
        path = urllib.parse.urlsplit(values["SSOTERM_AUTHORITY"]).path + "/oauth2/v2.0/token"
        answer = ask(port, path, {"grant_type": "password", "client_id": values["SSOTERM_CLIENT_ID"], "username": values["SSOTERM_USERNAME"],
                                  "password": values["SSOTERM_PASSWORD"], "scope": "offline_access openid https://graph.microsoft.com/User.Read"})
        tokens = json.loads(lab.run("tokens", "--json", "--unmask", wants=(0,)).stdout)["tokens"]
        wanted = {answer[name] for name in ("access_token", "refresh_token", "id_token")}
        wanted |= set(re.findall(r'"secret" : "(.*?)"', json.dumps(tokens, indent=1, separators=(",", " : "))))
        wanted |= {PASSWORD, values["SSOTERM_PASSWORD"], values["SSOTERM_CONFIDENTIAL_SECRET"]}
        key = (lab.folder / "s.sqlite.key").read_bytes()
        for command in READERS + ["tokens", "status --json", "apps --json", "registration list --json", "person list --json", "trace list --json",
                                  "trace export --as text", "trace export --as mermaid", "trace export --as json", "undo", "scenario list"]:
            if "export -o" not in command:
                done = lab.run(*command.split())
                said += [done.stdout, done.stderr]
        server.send_signal(signal.SIGABRT)
        server.wait()
        for reader in server.readers: reader.join()
        said += server.said
        children = copy_a_token(lab)
        texts = {secret.encode() for secret in wanted if len(secret) > 6} | {key, key.hex().encode(), base64.b64encode(key)}
        found = [(number, text[:12]) for number, output in enumerate(said) for text in texts if text in output]
        hold(not found, f"said in an output: {found}")
        files = [file for file in lab.folder.rglob("*") if file.is_file() and file.name != "s.sqlite.key"]
        found = [(file.name, text[:12]) for file in files for text in texts if text in file.read_bytes()]
        hold(not found, f"in the clear in a file: {found}")
        hold(not any("core" in file.name for file in files), "a core file")
        found = [text[:12] for text in texts for body in children if text in body]
        hold(not found, f"in a child's environment or arguments: {found}")
        print(f"  {len(texts)} secrets, {len(said)} outputs, {len(files)} files, {len(children)} children")


CLIPBOARD = """#!/bin/sh
# A clipboard in the place of xclip, which also notes how it was called.
{ tr '\\0' '\\n' < /proc/$$/cmdline; tr '\\0' '\\n' < /proc/$$/environ; } > "$(mktemp "$0.child.XXXXXX")"
case "$*" in *-out*) cat "$0.text";; *) cat > "$0.text"; [ ! -s "$0.text" ] || cp "$0.text" "$0.was";; esac
"""


def copy_a_token(lab):
    """Copies a token on a screen and quits: only the clipboard's input received it. Returns the input of each child."""
    folder = pathlib.Path(tempfile.mkdtemp())
    clipboard = folder / "xclip"
    clipboard.write_text(CLIPBOARD)
    clipboard.chmod(0o700)
    try:
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(PROGRAM, [PROGRAM, "tui", "tokens"], {**lab.environment, "PATH": f"{folder}:/usr/bin:/bin", "DISPLAY": ":99"})
        until(terminal, b"Access token")
        os.write(terminal, b"y")
        until(terminal, b"auth header")
        os.write(terminal, b"t")
        until(terminal, b"a secret, cleared")
        hold((folder / "xclip.was").read_text().startswith("eyJ"), "the token is not on the clipboard")
        os.write(terminal, b"q")
        while True:
            try:
                if not os.read(terminal, 65536): break
            except OSError:                              # the program has closed its side
                break
        os.waitpid(child, 0)
        os.close(terminal)
        hold((folder / "xclip.text").read_text() == "", "the token is still on the clipboard")
        children = [file.read_bytes() for file in folder.glob("xclip.child.*")]
        hold(len(children) > 1, "no child was seen")
        return children
    finally:
        shutil.rmtree(folder)


def until(terminal, text):
    """Reads the screen's output until the text appears."""
    seen, end = b"", time.time() + 20
    while text not in seen:
        hold(select.select([terminal], [], [], max(0, end - time.time()))[0], f"the screen does not show {text!r}: {seen[-300:]!r}")
        seen += os.read(terminal, 65536)
