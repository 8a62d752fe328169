"""`ssoterm read`: the log that MSAL Python writes, and chromium's recording of a complete sign-in."""
import json, logging

import msal, pytest, requests

from browser import Listener
from calls import SCOPES, public_app, refusal, sign_in, tokens
from chromium import Chromium
from har import Recording


@pytest.fixture
def written(tmp_path):
    """The log of everything that Python programs log."""
    path = tmp_path / "app.log"
    handler = logging.FileHandler(path)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s:%(name)s:%(message)s"))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.removeHandler(handler)
    root.setLevel(level)


def requests_of(traces):
    return [hop["action"] for trace in traces for hop in trace["hops"]
            if hop["to"] == "provider" and hop["action"].split(" ")[0] in ("GET", "POST")]


def test_a_log_of_msal_python_is_read_back_to_the_labs_own_hops(lab, written):
    app = public_app(lab, token_cache=msal.SerializableTokenCache())
    sign_in(app, lab.people[0])
    account = app.get_accounts()[0]
    before = lab.rows("trace", "list", "--limit", "1")[0]["id"]
    written.write_text("")
    tokens(app.acquire_token_silent, SCOPES, account=account, force_refresh=True)
    lab.ssoterm("fault", "add", "token", "invalid_grant:bad_token")
    assert refusal(app.acquire_token_silent_with_error, SCOPES, account=account, force_refresh=True) == "invalid_grant"

    read = json.loads(lab.ssoterm("read", written, "--json", status=1))
    own = [lab.json("trace", "show", trace["id"]) for trace in reversed(lab.rows("trace", "list"))
           if trace["id"] > before]
    assert requests_of(read["traces"]) == requests_of(own) != []
    assert [trace["verdict"] for trace in read["traces"]] == ["succeeded", "failed"], read
    assert "invalid_grant" in read["traces"][1]["summary"], read["traces"][1]
    log = written.read_text()
    secrets = [entry["secret"] for kind in ("AccessToken", "RefreshToken", "IdToken")
               for entry in json.loads(app.token_cache.serialize())[kind].values()]
    assert not [secret for secret in secrets if secret in json.dumps(read)], log


FAULTS = {
    None: None, "verifier": "code verifier", "redirect": "redirect URI", "loop": "loop", "skew": "clock",
    "mfa": "Conditional Access",
}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_recording_of_chromium_names_the_fault(labs, tmp_path, fault):
    lab = labs("--approve", "browser")
    app = public_app(lab, lab.public)
    if fault == "skew":
        lab.ssoterm("clock", "+1h")
    path = tmp_path / "sign-in.har"
    with Chromium(recording=True) as chromium, Listener() as listener:
        recording = Recording(chromium)
        flow = app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri)
        for _ in range(3 if fault == "loop" else 1):
            chromium.open(flow["auth_uri"])
            recording.take()
        chromium.sign_in(*lab.people[0])
        chromium.see("Permissions requested")
        chromium.click("button[name=accept]")
        chromium.see("done")
        if fault == "mfa":
            lab.ssoterm("fault", "add", "token", "require:mfa")
        form = {
            "client_id": app.client_id, "grant_type": "authorization_code", "code": listener.answer["code"],
            "redirect_uri": listener.uri + ("/other" if fault == "redirect" else ""), "scope": SCOPES[0],
            "code_verifier": "x" * 43 if fault == "verifier" else flow["code_verifier"],
        }
        url = lab.authority + "/oauth2/v2.0/token"
        answer = requests.post(url, data=form, timeout=60)
        recording.take()
        recording.add("POST", url, answer.request.body, answer)
        recording.write(path)

    read = json.loads(lab.ssoterm("read", path, "--json", status=1 if fault else 0))
    [trace] = read["traces"]
    failed = trace["outcome"]["failedCheck"]
    assert (failed and failed["name"]) == FAULTS[fault], (failed, [hop["action"] for hop in trace["hops"]])

    clean = tmp_path / "clean.har"
    lab.ssoterm("read", path, "--redact", clean, status=1 if fault else 0)
    text = clean.read_text()
    body = answer.json()
    secrets = [lab.people[0][1], listener.answer["code"], flow["code_verifier"], flow["state"],
               *[body[name] for name in ("access_token", "id_token", "refresh_token") if name in body]]
    secrets += [cookie.split("=", 1)[1] for entry in json.loads(path.read_text())["log"]["entries"]
                for header in entry["request"]["headers"] if header["name"].lower() == "cookie"
                for cookie in header["value"].split("; ") if len(cookie.split("=", 1)[1]) > 8]
    assert not [secret for secret in secrets if secret in text], "a secret is left"
    assert "eyJ" not in text
