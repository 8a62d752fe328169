"""Caches in both directions: a file from the lab in MSAL Python, and a file from msal-extensions in the lab."""
import json, stat, subprocess, threading

import msal
import msal_extensions

from calls import SCOPES, Wire, public_app, sign_in, tokens
from conftest import trust
from lab import PROGRAM


def persisted(path):
    return msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(str(path)))


def test_msal_uses_an_exported_cache_and_removing_the_account_leaves_no_orphan(labs, tmp_path):
    lab, file = labs("--approve", "browser"), tmp_path / "cache.json"
    for person in lab.people:
        sign_in(public_app(lab), person)
    # With the port that a person copies along: MSAL keeps entries without it.
    lab.ssoterm("export", "--format", "msal", "--environment", f"localhost:{lab.port}", "-o", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and not (tmp_path / "cache.json.lockfile").exists()

    wire, cache = Wire(), persisted(file)
    app = public_app(lab, token_cache=cache, http_client=wire)
    [account] = app.get_accounts(username=lab.people[0][0])
    answer, sent = wire.during(tokens, app.acquire_token_silent, SCOPES, account=account)
    assert answer["token_source"] == "cache" and sent == []
    tokens(app.acquire_token_silent, SCOPES, account=account, force_refresh=True)
    app.remove_account(account)
    assert account["home_account_id"] not in file.read_text()
    [left] = app.get_accounts()
    tokens(app.acquire_token_silent, SCOPES, account=left, force_refresh=True)
    sibling = public_app(lab, lab.family[1], token_cache=persisted(file))
    tokens(sibling.acquire_token_silent, SCOPES, account=left)
    assert lab.json("cache", "check", file)["findings"] == []


def test_an_account_alone_is_exported_alone(labs, tmp_path):
    lab, file = labs("--approve", "browser"), tmp_path / "cache.json"
    for person in lab.people:
        sign_in(public_app(lab), person)
    lab.ssoterm("export", "--format", "msal", "--account", lab.people[1][0], "-o", file)
    [account] = public_app(lab, token_cache=persisted(file)).get_accounts()
    assert account["username"] == lab.people[1][0], account


def test_a_cache_of_msal_is_read_imported_and_never_written(labs, tmp_path):
    lab, other, file = labs("--approve", "browser"), labs("--approve", "browser"), tmp_path / "cache.json"
    app = public_app(other, token_cache=persisted(file))
    trust(other)
    sign_in(app, other.people[0])
    written = file.read_bytes()
    seen = lab.json("view", file)
    assert lab.people[0][0] in json.dumps(seen), seen
    lab.ssoterm("import", file)
    assert [row["username"] for row in lab.rows("accounts")] == [lab.people[0][0]]
    assert file.read_bytes() == written


def test_a_refresh_token_without_an_account_is_found(labs, tmp_path):
    lab, file = labs("--approve", "browser"), tmp_path / "cache.json"
    app = public_app(lab, token_cache=persisted(file))
    sign_in(app, lab.people[0])
    cache = json.loads(file.read_text())
    cache["Account"] = {}
    file.write_text(json.dumps(cache))
    report = json.loads(lab.ssoterm("cache", "check", file, "--json", status=1))
    assert "orphan" in json.dumps(report), report


def test_a_live_cache_that_goes_away_is_said(tmp_path):
    file = tmp_path / "cache.json"
    file.write_text("{}")
    watching = subprocess.Popen([PROGRAM, "view", "--watch", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)
    too_long = threading.Timer(90, watching.kill)
    too_long.start()
    try:
        assert watching.stdout.readline().startswith(str(file))
        file.unlink()
        assert f"{file} was removed" in watching.stderr.readline()
    finally:
        too_long.cancel()
        watching.kill()
        watching.wait()


def test_a_live_cache_is_followed_and_never_written(labs, tmp_path):
    lab, file = labs("--approve", "browser"), tmp_path / "cache.json"
    app = public_app(lab, token_cache=persisted(file))
    watching = subprocess.Popen([PROGRAM, "view", "--watch", file], stdout=subprocess.PIPE, text=True,
                                env=lab.environment)
    too_long = threading.Timer(90, watching.kill)
    too_long.start()
    try:
        for name, password in lab.people:
            sign_in(app, (name, password))
            written = file.read_bytes()
            assert any(name in line for line in watching.stdout), f"{name} is not shown"
            assert file.read_bytes() == written
    finally:
        too_long.cancel()
        watching.kill()
        watching.wait()
