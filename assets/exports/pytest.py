{{head}}
import base64, hashlib, json, os, pathlib, secrets, shutil, ssl, subprocess
import urllib.error, urllib.parse, urllib.request

import pytest
from playwright.sync_api import Error, sync_playwright

PROGRAM = os.environ.get("SSOTERM", "ssoterm")
FIXED = os.environ.get("SSOTERM_FIXED") == "1"
SCENARIO, STEP = pathlib.Path(__file__).with_name({{scenario}}), {{step}}
CALL = {{call}}
MENDED_CALL = {{mendedCall}}


def changed(call, endpoint, fields):
    """The fields that the program sends, with what it sends otherwise."""
    changes = {name: value for name, *value in call.get("change_" + endpoint, [])}
    kept = {name: value for name, value in fields.items() if value and name not in changes}
    return {**kept, **{name: value[0] for name, value in changes.items() if value}}


class Lab:
    """The lab before the step that fails, with its provider on loopback."""

    def __init__(self, folder):
        self.store = str(folder / "store.sqlite")
        self.server = subprocess.Popen(
            [PROGRAM, "serve", "--scenario", str(SCENARIO), "--until", str(STEP), *(["--fixed"] if FIXED else []),
             "--store", self.store, "--port", "0", "--approve", "browser"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.origin = self.server.stdout.readline().strip()
        assert self.origin, "ssoterm serve ended"
        authority = self.ssoterm("serve", "env")["variables"]["SSOTERM_CA"]
        self.trust = ssl.create_default_context(cafile=authority)

    def ssoterm(self, *words):
        done = subprocess.run([PROGRAM, *words, "--json", "--store", self.store], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def secret(self, kind, client):
        """The newest token of a kind that a client has in the lab."""
        tokens = self.ssoterm("tokens", "--unmask")["tokens"]
        return [one["secret"] for one in tokens if one["type"] == kind and one["clientID"] == client][-1]

    def ask(self, path, fields=None, **headers):
        """The JSON of an answer, an error too."""
        body = fields and urllib.parse.urlencode(fields).encode()
        try:
            answer = urllib.request.urlopen(urllib.request.Request(self.origin + path, body, headers), context=self.trust)
        except urllib.error.HTTPError as refused:
            answer = refused
        except (OSError, ConnectionError) as lost:
            return {"error_description": str(lost)}
        return json.load(answer)

    def token(self, call, **fields):
        tenant = call.get("redeems_at", call["tenant"])
        headers = {"Origin": call["origin"]} if "origin" in call else {}
        fields = {"client_id": call["client_id"], "client_secret": call.get("client_secret"), "grant_type": call["grant"],
                  **fields}
        for _ in range(2 if "repeats" in call else 1):
            answer = self.ask(f"/{tenant}/oauth2/v2.0/token", changed(call, "token", fields), **headers)
        return answer

    def answers(self, call, page):
        """What the call results in: tokens, or an error. `page` opens a browser."""
        if "discovers" in call:
            found = self.ask(f"/{call['tenant']}/v2.0/.well-known/openid-configuration")
            if "token_endpoint" not in found:
                return found
        grant, scope = call["grant"], call["scope"]
        if grant == "authorization_code":
            return self.sign_in(page(), call)
        if grant == "urn:ietf:params:oauth:grant-type:device_code":
            return self.sign_in_elsewhere(page(), call)
        if grant == "refresh_token":
            return self.token(call, refresh_token=self.secret("RefreshToken", call["client_id"]), scope=scope)
        if grant == "password":
            return self.token(call, username=call["username"], password=call["password"], scope=scope)
        if "assertion_of" in call:
            return self.token(call, assertion=self.secret("AccessToken", call["assertion_of"]),
                              requested_token_use="on_behalf_of", scope=scope)
        return self.token(call, scope=scope)

    def sign_in(self, page, call):
        """Answers the pages as the person does, and redeems the code as the program does."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        places, target = [], call["redirect_uri"]
        page.on("response", lambda answer: places.append(answer.headers.get("location", "")))
        # With form_post, the browser posts the answer.
        page.on("request", lambda asked: places.append(f"{asked.url}?{asked.post_data or ''}") if asked.method == "POST" else None)
        query = urllib.parse.urlencode(changed(call, "authorize", {
            "client_id": call["client_id"], "response_type": "code", "redirect_uri": target, "scope": call["scope"],
            "state": "s", "prompt": call.get("prompt"), "code_challenge": challenge, "code_challenge_method": "S256"}))
        try:
            page.goto(f"{self.origin}/{call['tenant']}/oauth2/v2.0/{call.get('opens', 'authorize')}?{query}")
        except Error:
            pass                                             # the browser has nothing that answers at the redirect URI
        back = lambda: next((place for place in places if place.startswith(target)), None)
        failure = self.fill_in(page, call, back)
        if failure:
            return failure
        parts = urllib.parse.urlsplit(back())
        answer = dict(urllib.parse.parse_qsl(parts.query or parts.fragment))
        if "code" not in answer:
            return answer
        return self.token(call, code=answer["code"], redirect_uri=target, code_verifier=verifier, scope=call["scope"])

    def sign_in_elsewhere(self, page, call):
        """Enters the user code in a browser, as the person does, and asks once for the tokens."""
        asked = self.ask(f"/{call['tenant']}/oauth2/v2.0/devicecode",
                         changed(call, "deviceCode", {"client_id": call["client_id"], "scope": call["scope"]}))
        if "device_code" not in asked:
            return asked
        try:
            page.goto(asked["verification_uri"])
            page.fill("#code", asked["user_code"])
            page.press("#code", "Enter")
            page.wait_for_selector("#code", state="detached")
            self.fill_in(page, call, lambda: None)
        except Error:
            pass                                             # the page cannot be reached, as the scenario says
        return self.token(call, device_code=asked["device_code"])

    def fill_in(self, page, call, back):
        """Answers pages until the browser is sent back, or returns what the last page says."""
        left = dict(call)
        while not back():
            if page.locator("#i0116").count() and "username" in left:
                page.fill("#i0116", left.pop("username"))
            elif page.locator("#i0118").count() and "password" in left:
                page.fill("#i0118", left.pop("password"))
            elif page.locator("#number").count() and "verification" in left:
                typed = left.pop("verification")
                page.fill("#number", page.inner_text(".number") if typed == "shown" else typed)
            elif not (page.locator("[name=accept]").count() and "consent" in left):
                lines = page.inner_text("main").splitlines()
                return {"error_description": "\n".join(sorted(lines, key=lambda line: "AADSTS" not in line and "AADB2C" not in line))}
            declines = page.locator("[name=accept]").count() and left.pop("consent") == "decline"
            with page.expect_response(lambda answer: answer.request.is_navigation_request()):
                page.click("#idBtn_Back" if declines else "#idSIButton9", no_wait_after=True)
            try:
                page.wait_for_load_state()
            except Error:
                pass


@pytest.fixture
def lab(tmp_path):
    lab = Lab(tmp_path)
    yield lab
    lab.server.terminate()
    lab.server.wait()


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        yield browser.new_page(ignore_https_errors=True)


def test_the_call_gets_a_token(lab, request):
    answer = lab.answers(MENDED_CALL if FIXED else CALL, lambda: request.getfixturevalue("page"))
    assert "access_token" in answer, answer.get("error_description", answer)
