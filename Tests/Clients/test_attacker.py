"""Pages and programs of an attacker on the same machine, against a user who is signed in with chromium."""
import html, http.server, threading, urllib.parse

import requests

from browser import Forms, Listener
from calls import SCOPES, public_app
from chromium import Chromium

SORRY = "Sorry, but we’re having trouble signing you in"


class Attacker:
    """A web site on a port of this machine, and its owner's plain requests."""

    def __init__(self, lab):
        self.lab, self.pages, self.cookies = lab, {}, {}
        attacker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                for name, value in attacker.cookies.items():
                    self.send_header("Set-Cookie", f"{name}={value}; Path=/; Secure")
                self.end_headers()
                self.wfile.write(attacker.pages.get(self.path, "<h1>nothing</h1>").encode())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        registered = requests.post(f"{lab.origin}/common/oauth2/v2.0/register", timeout=60, json={
            "client_name": "Mallory", "redirect_uris": ["https://evil.example/cb"],
            "token_endpoint_auth_method": "none"})
        assert registered.status_code == 201, registered.text
        self.client = registered.json()["client_id"]

    def begin(self, **fields):
        """A sign-in of the attacker's client, in no browser: its flow and its cookies."""
        session = requests.Session()
        page = session.get(f"{self.lab.origin}/common/oauth2/v2.0/authorize", timeout=60, params={
            "client_id": self.client, "redirect_uri": "https://evil.example/cb", "response_type": "code",
            "scope": "User.Read offline_access", "code_challenge_method": "S256",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", **fields})
        form = Forms(page.text).forms[0]
        return next(value for _, name, value in form["fields"] if name == "flow"), session

    def page_that_posts(self, path, **fields):
        inputs = "".join(f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items())
        address = "/" + str(len(self.pages))
        self.pages[address] = (f'<!DOCTYPE html><h1>free prizes</h1><form method="post" action="{self.lab.origin}{path}">'
                               f"{inputs}</form><script>document.forms[0].submit()</script>")
        return address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def sign_in(chromium, lab, app, listener, person):
    flow = app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri)
    chromium.open(flow["auth_uri"])
    chromium.sign_in(*person)
    chromium.see("Permissions requested")
    chromium.click("button[name=accept]")
    chromium.see("done")


def who_is_signed_in(chromium, app, listener):
    """Returns the account of this browser's session, or None if the page asks."""
    before = len(listener.answers)
    flow = app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri, prompt="none")
    chromium.open(flow["auth_uri"])
    chromium.see("done")
    assert len(listener.answers) == before + 1
    answer = app.acquire_token_by_auth_code_flow(flow, listener.answer)
    return answer.get("id_token_claims", {}).get("preferred_username")


def test_a_page_of_an_attacker_cannot_answer_for_the_person(labs):
    """Consent, login and device codes by a foreign page: another site, and another port of the same host."""
    lab = labs("--approve", "browser", "--generic")
    app, (person, other) = public_app(lab, lab.public), lab.people
    with Chromium() as chromium, Listener() as listener, Attacker(lab) as attacker:
        sign_in(chromium, lab, app, listener, person)
        device = public_app(lab, lab.family[0]).initiate_device_flow(SCOPES)
        for host in ("127.0.0.1", "localhost"):
            flow, _ = attacker.begin()
            for path, fields in [("/common/login", {"flow": flow, "username": person[0]}),
                                 ("/common/login", {"flow": flow, "username": other[0], "password": other[1]}),
                                 ("/common/consent", {"flow": flow, "accept": "1"}),
                                 ("/common/oauth2/deviceauth", {"user_code": device["user_code"]})]:
                chromium.open(f"http://{host}:{attacker.port}" + attacker.page_that_posts(path, **fields))
                chromium.see(SORRY)
                assert "AADSTS165000" in chromium.run("return document.querySelector('[role=alert]').textContent")
        assert who_is_signed_in(chromium, app, listener) == person[0]
        assert "evil.example" not in chromium.url


def test_planted_cookies_give_an_attacker_nothing(labs):
    """Cookies are not bound to a port: a program on localhost plants its own sign-in's cookie, and its own session."""
    lab = labs("--approve", "browser", "--generic")
    app, (person, other) = public_app(lab, lab.public), lab.people
    with Chromium() as chromium, Listener() as listener, Attacker(lab) as attacker:
        flow, session = attacker.begin()
        page = session.post(f"{lab.origin}/common/login", timeout=60, allow_redirects=False,
                            data={"flow": flow, "username": other[0], "password": other[1]})
        assert page.status_code == 200, page.text
        attacker.cookies = {cookie.name: cookie.value for cookie in session.cookies}
        assert set(attacker.cookies) == {"ESTSAUTH", "__Host-esctx"}
        mine, _ = attacker.begin()
        chromium.open(f"http://localhost:{attacker.port}" + attacker.page_that_posts("/common/consent", flow=flow, accept="1"))
        chromium.see(SORRY)
        chromium.open(app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri, prompt="login")["auth_uri"])
        chromium.sign_in(*person)
        chromium.see("Permissions requested")
        attempt = session.get(f"{lab.origin}/common/oauth2/v2.0/authorize", timeout=60, allow_redirects=False, params={
            "client_id": app.client_id, "redirect_uri": "http://localhost", "response_type": "code",
            "scope": "User.Read", "prompt": "none", "login_hint": person[0], "code_challenge_method": "S256",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"})
        answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(attempt.headers["Location"]).query))
        assert answer.get("error") == "login_required", answer
        assert mine != flow


def test_a_foreign_page_cannot_register_a_client(labs):
    """A page may send text/plain to any address without being asked; JSON it may not."""
    lab = labs("--approve", "browser", "--generic")
    with Chromium() as chromium, Attacker(lab) as attacker:
        chromium.open(f"http://localhost:{attacker.port}/")
        before = len(lab.rows("registration", "list"))
        chromium.run(f"""
            const body = JSON.stringify({{redirect_uris: ["https://evil.example/cb"]}});
            const url = "{lab.origin}/common/oauth2/v2.0/register";
            fetch(url, {{method: "POST", mode: "no-cors", headers: {{"Content-Type": "text/plain"}}, body}})
              .then(() => document.title = "sent", () => document.title = "sent");""")
        chromium.run("return new Promise(done => { const look = () => document.title == 'sent' ? done(1) : setTimeout(look, 20); look() })")
        assert len(lab.rows("registration", "list")) == before
