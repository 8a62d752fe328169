"""Files that are not files, umasks, children, signals, and foreign text in reports: the attacks E2, E3, E9, E10, and N4."""
import json, os, pathlib, re, signal, stat, subprocess, tempfile, threading, time

from lab import PROGRAM, ROOT, Lab, hold

NAMED = {"scenario": ["scenario", "run", "contoso-suite", "--report", "markdown"], "ca": ["ca", "export", "-o"],
         "demo": ["demo", "two-vendors", "--record"]}
RUN = ["run", "--report", "junit", "FILE", "--", "true"]


def special_files(lab):
    """E2: a pipe, a link, and a device are written into or refused, never replaced."""
    for words in [*([*words, "FILE"] for words in NAMED.values()), RUN]:
        for kind in ("pipe", "link", "dangling", "device"):
            path = lab.folder / kind
            path.unlink(missing_ok=True)
            target, got = lab.folder / "target", []
            target.write_text("old")
            if kind == "pipe":
                os.mkfifo(path)
                reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
                reader.start()
            elif kind == "device":
                try: os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
                except PermissionError: continue
            else:
                path.symlink_to("target" if kind == "link" else "none")
            before = path.lstat()
            done = lab.run(*[path if word == "FILE" else word for word in words], wants=(2,) if kind == "dangling" else (0,))
            after = path.lstat()
            hold((before.st_ino, before.st_mode) == (after.st_ino, after.st_mode), f"{words[0]}: the {kind} was replaced")
            if kind == "pipe":
                reader.join()
                hold(len(got[0]) > 100, f"{words[0]}: the pipe got {len(got[0])} bytes")
            if kind == "link": hold(len(target.read_text()) > 100, f"{words[0]}: the link's target is {target.read_text()}")
            if kind == "dangling": hold(not (lab.folder / "none").exists(), done.stderr)
    return f"{len(NAMED) + 1} commands, 4 kinds"


def children(lab):
    """E3: a child gets no descriptor of ours, and nothing waits for the processes that it leaves behind."""
    script = "import os; print([n for n in range(3, 1024) if os.path.exists('/proc/self/fd/%s' % n)])"
    for words in (["run"], ["broker", "serve", "--approve", "auto:ada@contoso.com"]):
        done = lab.run(*words, "--", "python3", "-c", script, wants=(0,))
        hold(done.stdout == b"[]\n", f"{words}: {done.stdout}")
        start = time.time()
        done = lab.run(*words, "--", "/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!", wants=(0,))
        hold(time.time() - start < 20, f"{words}: waited {time.time() - start:.0f} s for a daemon")
    given = subprocess.run(["sh", "-c", f"'{PROGRAM}' run -- cat /dev/fd/7 7</etc/hostname"], env=lab.environment, cwd=lab.folder,
                           capture_output=True)
    hold(given.stdout == pathlib.Path("/etc/hostname").read_bytes(), f"the caller's descriptor: {given.stderr}")
    return "run and broker serve"


def signals(lab):
    """E9: however `run` ends, its store, its key, and its program are gone."""
    tried = 0
    for number in range(1, 65):
        if number in (32, 33, *map(int, (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN,
                                         signal.SIGTTOU, signal.SIGURG, signal.SIGWINCH, signal.SIGPIPE, signal.SIGILL, signal.SIGTRAP,
                                         signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV, signal.SIGSYS))):
            continue
        child = lab.start("run", "--", "/bin/sh", "-c", "echo $$; exec sleep 60", start_new_session=True)
        program = int(child.stdout.readline())
        child.send_signal(number)
        hold(child.wait(timeout=60) == 128 + number, f"signal {number}: {child.returncode}")
        hold(not pathlib.Path(f"/proc/{program}").exists(), f"signal {number}: the program runs on")
        left = [file.name for file in lab.folder.iterdir() if file.name.startswith("ssoterm-run")]
        hold(not left, f"signal {number}: {left}")
        tried += 1
    return f"{tried} signals"


def active_text(lab):
    """E10: no live image or link in a report, and no control character in a recording's title."""
    hostile = "a \u001b]0;b\u0007 ![x](https://evil.example/a.png) [y](https://evil.example) <img src=x> \u202e\u200b"
    text = (ROOT / "assets/scenarios/contoso-suite.yaml").read_text()
    text = re.sub(r"^title: .*$", lambda _: "title: " + json.dumps(hostile), text, flags=re.M)
    (lab.folder / "hostile.yaml").write_text(text)
    lab.run("scenario", "run", "./hostile.yaml", "--report", "markdown", "hostile.md", wants=(0, 1))
    lab.run("demo", "./hostile.yaml", "--record", "hostile.cast", wants=(0, 1))
    report = (lab.folder / "hostile.md").read_text()
    hold("evil.example" in report, "the title is not in the report")
    hold(not re.search(r"(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)://evil|<img", report), report[:400])
    cast = lab.folder / "hostile.cast"
    if cast.exists():
        title = json.loads(cast.read_text().split("\n")[0])["title"]
        hold(not re.search("[\x00-\x1f\x7f\u202e\u200b]", title), repr(title))
    return "scenario and demo"


def modes(lab):
    """No umask exposes a file that may contain a secret, or lets others change a file that programs trust."""
    for umask in ("000", "077"):
        subprocess.run(["sh", "-c", f"umask {umask}; for o in 'export -o' 'ca export -o' 'key export -o'; do rm -f f; "
                        f"'{PROGRAM}' $o f >/dev/null 2>&1; stat -c '%a' f; done; stat -c '%a' {lab.store} {lab.store}.key"],
                       env=lab.environment, cwd=lab.folder, stdout=(lab.folder / "modes").open("w"))
        found = (lab.folder / "modes").read_text().split()
        hold(found == ["600", "644" if umask == "000" else "600", "600", "600", "600"], f"umask {umask}: {found}")
    return "2 umasks"


def failed_creation(lab):
    """N4: a failed creation of a lab leaves nothing behind, and succeeds when there is room."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        return "left out: only root may mount a disk"
    mount, tried = lab.folder / "disk", 0
    mount.mkdir()
    for size in range(4, 200, 8):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", mount], check=True)
        try:
            done = lab.run("lab", "create", "two", "--store", mount / "one.sqlite", wants=(0, 5))
            left = sorted(file.name for file in mount.iterdir())
            hold(done.returncode == 0 or not left, f"{size} KiB: {left}")
            subprocess.run(["mount", "-o", "remount,size=64m", mount], check=True)
            if done.returncode != 0:
                lab.run("lab", "create", "two", "--store", mount / "one.sqlite", wants=(0,))
                tried += 1
        finally:
            subprocess.run(["umount", "-l", mount], check=True)
    return f"{tried} disks that were too small"


def files(source, quick):
    for part in (special_files, modes, children, signals, active_text, failed_creation):
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(folder)
            lab.sign_in()
            print(f"  {part.__name__}: {part(lab)}", flush=True)
