{{head}}
import base64, hashlib, json, os, pathlib, secrets, shutil, ssl, subprocess
import urllib.error, urllib.parse, urllib.request

import pytest
from playwright.sync_api import Error, sync_playwright

PROGRAM = os.environ.get("SSOTERM", "ssoterm")
FIXED = os.environ.get("SSOTERM_FIXED") == "1"
SCENARIO, STEP = pathlib.Path(__file__).with_name({{scenario}}), {{step}}
CLIENT_ID = {{clientID}}
REDIRECT_URI = {{redirectURI}}
TENANT = {{tenant}}
CALL = {{call}}
MENDED_CALL = {{mendedCall}}


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

    def token(self, **fields):
        """The JSON of the token endpoint, tokens or an error."""
        body = urllib.parse.urlencode({"client_id": CLIENT_ID, **fields}).encode()
        try:
            answer = urllib.request.urlopen(f"{self.origin}/{TENANT}/oauth2/v2.0/token", body, context=self.trust)
        except urllib.error.HTTPError as refused:
            answer = refused
        return json.load(answer)

    def refresh(self, call):
        """Redeems the refresh token that the app has in its keychain."""
        tokens = self.ssoterm("tokens", "--unmask")["tokens"]
        [secret] = {one["secret"] for one in tokens if one["type"] == "RefreshToken" and one["clientID"] == CLIENT_ID}
        return self.token(grant_type="refresh_token", refresh_token=secret, scope=call["scope"])

    def sign_in(self, page, call):
        """Answers the pages as the person does, and redeems the code as the app does."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        places = []
        page.on("response", lambda answer: places.append(answer.headers.get("location", "")))
        query = urllib.parse.urlencode({
            "client_id": CLIENT_ID, "response_type": "code", "redirect_uri": REDIRECT_URI, "scope": call["scope"],
            "state": "s", "code_challenge": challenge, "code_challenge_method": "S256"})
        try:
            page.goto(f"{self.origin}/{TENANT}/oauth2/v2.0/authorize?{query}")
        except Error:
            pass                                             # the browser has no app for the redirect URI
        left = dict(call)
        while not (back := [place for place in places if place.startswith(REDIRECT_URI)]):
            if page.locator("#i0116").count() and "username" in left:
                page.fill("#i0116", left.pop("username"))
            elif page.locator("#i0118").count() and "password" in left:
                page.fill("#i0118", left.pop("password"))
            elif page.locator("#number").count() and "verification" in left:
                page.fill("#number", page.inner_text(".number"))
                left.pop("verification")
            elif not (page.locator("[name=accept]").count() and "consent" in left):
                return {"error_description": page.inner_text("main")}
            declines = page.locator("[name=accept]").count() and left.pop("consent") == "decline"
            with page.expect_response(lambda answer: answer.request.is_navigation_request()):
                page.click("#idBtn_Back" if declines else "#idSIButton9", no_wait_after=True)
            page.wait_for_load_state()
        answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back[0]).query))
        if "code" not in answer:
            return answer
        return self.token(grant_type="authorization_code", code=answer["code"], redirect_uri=REDIRECT_URI,
                          code_verifier=verifier, scope=call["scope"])


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
    call = MENDED_CALL if FIXED else CALL
    is_silent = call["grant"] == "refresh_token"
    answer = lab.refresh(call) if is_silent else lab.sign_in(request.getfixturevalue("page"), call)
    assert "access_token" in answer, answer.get("error_description", answer)
