"""kill -9 at any moment: acknowledged changes are saved, and nothing is incomplete or left behind."""
import json, os, pathlib, pty, random, select, signal, sqlite3, tempfile, threading, time, urllib.error, urllib.parse

from lab import APP, PROGRAM, Lab, ask, hold


def write_until_killed(lab, source, told):
    """Runs one command after the other, and adds the acknowledged changes to `told`."""
    while not told["end"]:
        child = lab.start("clock", "+1s", start_new_session=True)
        if source.random() < 0.3:
            time.sleep(source.uniform(0, 0.15))
            child.kill()
        if child.wait() == 0:
            told["done"] += 1
        else:
            told["killed"] += 1


def kill_commands(lab, source, rounds):
    lab.run("clock", "+1s", wants=(0,))
    told = [{"done": 0, "killed": 0, "end": False} for _ in range(8)]
    writers = [threading.Thread(target=write_until_killed, args=(lab, random.Random(source.random()), one)) for one in told]
    for writer in writers: writer.start()
    time.sleep(rounds)
    for one in told: one["end"] = True
    for writer in writers: writer.join()
    done, killed = 1 + sum(one["done"] for one in told), sum(one["killed"] for one in told)
    hold(done <= lab.offset() <= done + killed, f"{done} acknowledged, {killed} killed, offset {lab.offset()}")
    return f"{done} acknowledged of {done + killed}"


def kill_screens(lab, source, rounds):
    """Keys that change the store, on a separate terminal, and kill -9 while they are processed."""
    lab.sign_in()
    for _ in range(rounds):
        child, terminal = pty.fork()
        if child == 0:
            os.execve(PROGRAM, [PROGRAM, "tui"], lab.environment)
        end = time.time() + source.uniform(0.2, 1.2)
        while time.time() < end:
            if select.select([terminal], [], [], 0.02)[0]:
                os.read(terminal, 65536)
            os.write(terminal, source.choice("stTzZjk1234q?").replace("q", "s").encode())
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    return f"{rounds} screens"


def kill_server(lab, source, rounds):
    """Refresh tokens that a program received are valid after the next start."""
    values = None
    told, port = [], 0
    for _ in range(rounds):
        server, port = lab.serve(port)
        values = values or json.loads(lab.run("serve", "env", "--json", "--unmask", wants=(0,)).stdout)["variables"]
        client, scope = values["SSOTERM_CLIENT_ID"], "offline_access https://graph.microsoft.com/User.Read"
        path = urllib.parse.urlsplit(values["SSOTERM_AUTHORITY"]).path + "/oauth2/v2.0/token"
        lab.run("clock", "+0s")
        for secret in told:
            hold("refresh_token" in ask(port, path, {"grant_type": "refresh_token", "client_id": client, "scope": scope,
                                                     "refresh_token": secret}), "an acknowledged refresh token is lost")
        told = []

        def refresh(chain=None):
            try:
                answer = ask(port, path, {"grant_type": "password", "client_id": client, "scope": scope,
                                          "username": values["SSOTERM_USERNAME"], "password": values["SSOTERM_PASSWORD"]})
                while True:
                    chain[0] = answer["refresh_token"]
                    answer = ask(port, path, {"grant_type": "refresh_token", "client_id": client, "scope": scope,
                                              "refresh_token": chain[0]})
            except (OSError, urllib.error.HTTPError, json.JSONDecodeError, KeyError):
                pass

        chains = [[None] for _ in range(8)]
        threads = [threading.Thread(target=refresh, args=(chain,)) for chain in chains]
        for thread in threads: thread.start()
        time.sleep(source.uniform(0.8, 2))
        server.kill()
        server.wait()
        for thread in threads: thread.join()
        told = [chain[0] for chain in chains if chain[0]]
        hold(told, "nobody was given a refresh token")
    return f"{rounds} servers"


def large_cache(count):
    accounts, tokens = {}, {}
    for number in range(count):
        home = f"u{number}.t"
        accounts[home] = {"home_account_id": home, "realm": "t", "environment": "login.microsoftonline.com",
                          "local_account_id": f"u{number}", "authority_type": "MSSTS", "username": f"person{number}@example.com"}
        tokens[home] = {"home_account_id": home, "client_id": "c", "environment": "login.microsoftonline.com",
                        "credential_type": "RefreshToken", "secret": f"secret-{number}-" + "s" * 200}
    return json.dumps({"Account": accounts, "RefreshToken": tokens})


def kill_import(lab, source, rounds, count):
    """An import is complete, or did not happen."""
    lab.run("clock", "+1s", wants=(0,))
    (lab.folder / "large.json").write_text(large_cache(count))
    for _ in range(rounds):
        child = lab.start("import", "large.json", start_new_session=True)
        time.sleep(source.uniform(0, 0.2 + count / 8000))
        child.kill()
        child.wait()
        with sqlite3.connect(lab.store) as database:
            [items] = database.execute("SELECT count(*) FROM item").fetchone()
        database.close()
        hold(items in (0, 2 * count), f"{items} items of an import of {2 * count}")
        if items:
            lab.run("undo", wants=(0,))
    return f"{rounds} imports of {count} accounts"


def kill_export(lab, source, rounds):
    """The file is the old one or the new one, and the next export does not wait for the killed one's lock."""
    (lab.folder / "large.json").write_text(large_cache(2000))
    lab.run("import", "large.json", wants=(0,))
    for _ in range(rounds):
        child = lab.start("export", "-o", "cache.json", start_new_session=True)
        time.sleep(source.uniform(0, 1))
        child.kill()
        child.wait()
        file = lab.folder / "cache.json"
        if file.exists():
            hold(len(json.loads(file.read_text())["RefreshToken"]) == 2000, "half an export")
        # An export waits for the lock of a running program, and is refused in the end.
        lab.run("export", "-o", "cache.json", wants=(0,))
        left = [file.name for file in lab.folder.iterdir() if "lockfile" in file.name or "ssoterm-new" in file.name]
        hold(not left, f"left behind: {left}")
    return f"{rounds} exports"


def kill_creation(lab, source, rounds):
    for number in range(rounds):
        one = Lab(lab.folder, f"new{number}.sqlite")
        for _ in range(3):
            child = one.start("status", "--create", start_new_session=True)
            time.sleep(source.uniform(0, 0.12))
            child.kill()
            child.wait()
        one.check()
        hold(one.offset() == 1, "a new store has a clock of its own")
    return f"{rounds} stores"


def kill_migration(lab, source, rounds):
    for _ in range(rounds):
        lab.run("clock", "+1s", wants=(0,))
        before = lab.offset()
        with sqlite3.connect(lab.store) as database:
            dropped = ["journal DROP COLUMN origin"] + [f"{table} DROP COLUMN {column}" for table in ("journal", "trace")
                                                        for column in ("person", "machine")]
            database.executescript("".join(f"ALTER TABLE {change}; " for change in dropped)
                                   + "PRAGMA user_version = 1")
        database.close()
        child = lab.start("clock", "+1s", start_new_session=True)
        time.sleep(source.uniform(0, 0.12))
        child.kill()
        child.wait()
        hold(before <= lab.offset() <= before + 1, "the clock jumped")
        lab.run("undo", wants=(0,))
    return f"{rounds} migrations"


def kills(source, quick):
    parts = [(kill_commands, 3 if quick else 60), (kill_screens, 2 if quick else 60), (kill_server, 2 if quick else 12),
             (kill_import, 2 if quick else 25, 2000 if quick else 100_000), (kill_export, 3 if quick else 60),
             (kill_creation, 3 if quick else 80), (kill_migration, 3 if quick else 60)]
    for part, *numbers in parts:
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(folder)
            print(f"  {part.__name__}: {part(lab, source, *numbers)}", flush=True)
            lab.check()
