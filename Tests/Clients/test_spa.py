"""A browser app, plain JavaScript in Debian's chromium: fetch, PKCE, a hidden frame, and sign-out.

Also tests which client may redeem which token.
"""
import http.server, json, pathlib, threading, urllib.parse, uuid

import pytest, requests

from browser import Browser
from chromium import Chromium

FILES = pathlib.Path(__file__).parent / "spa"


class Site:
    """The web server of the app, on a port of its own; `told` are the front-channel sign-outs that it saw."""

    def __init__(self, lab, name="spa", **fields):
        self.lab, self.client, self.told = lab, str(uuid.uuid4()), []
        site = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(FILES))

            def log_message(self, *_):
                pass

            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path in ("/config.json", "/frame", "/signout"):
                    if path == "/signout":
                        site.told.append(dict(urllib.parse.parse_qsl(query)))
                    body = json.dumps(site.config).encode() if path == "/config.json" else b"<!DOCTYPE html><title>frame</title>"
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json" if path == "/config.json" else "text/html")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                else:
                    super().do_GET()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_address[1]}/"
        self.config = {"authority": lab.authority, "client": self.client, "redirect": self.url, "frame": self.url + "frame",
                       "scope": "openid profile offline_access User.Read"}
        lab.ssoterm("registration", "add", self.client, f"displayName=Page {name}", "isPreauthorized=yes",
                    "spaRedirectURIs=http://localhost/,http://localhost/frame", f"frontChannelLogoutURI={self.url}signout",
                    "enableIDTokenIssuance=yes", *[f"{key}={value}" for key, value in fields.items()])
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def call(chromium, script):
    """What the page's function gives: its value, or the words of its error."""
    return chromium.run(f"return (async () => {script})().then(value => ({{value}}), error => ({{error: error.message}}))")


def sign_in(chromium, site, person):
    chromium.open(site.url)
    chromium.see("signed out")
    chromium.click("#in")
    chromium.sign_in(*person)
    chromium.see(f"signed in as {person[0]}")


def test_a_page_signs_in_renews_and_signs_out(labs):
    lab = labs("--approve", "browser")
    person = lab.people[0]
    with Chromium(third_party_cookies=True) as chromium, Site(lab) as site, Site(lab, "two") as other:
        sign_in(chromium, site, person)
        renewed = call(chromium, "refresh()")
        assert renewed.get("value", {}).get("refresh_token"), renewed
        info = call(chromium, "whoAmI()")                   # Authorization: the browser asks first
        assert info["value"]["sub"] == chromium.run("return app.claims.sub"), info
        silent = call(chromium, "silent()")
        assert silent.get("value", {}).get("access_token"), silent
        only = call(chromium, "silent({response_type: 'id_token'})")
        assert set(only["value"]) >= {"id_token", "state"}, only
        sid = chromium.run("return app.claims.sid")
        assert sid

        chromium.open(other.url)                             # another app, the same session
        chromium.see("signed out")
        chromium.click("#in")
        chromium.see(f"signed in as {person[0]}")
        assert chromium.run("return app.claims.sid") == sid
        chromium.click("#out")
        chromium.see("signed out")
        assert chromium.url == other.url
        assert site.told == [{"sid": sid}] and other.told == [{"sid": sid}]
        refused = call(chromium, "silent()")
        assert refused["error"].startswith("login_required AADSTS50058"), refused


def test_a_browser_that_blocks_cookies_of_third_parties_has_no_silent_frame(labs):
    """What real pages meet too: then the page itself is sent to the provider, which knows the person."""
    lab = labs("--approve", "browser")
    with Chromium() as chromium, Site(lab) as site:
        sign_in(chromium, site, lab.people[0])
        assert call(chromium, "silent()")["error"].startswith("login_required AADSTS50058")
        chromium.run("signIn({prompt: 'none'})")
        chromium.see(f"signed in as {lab.people[0][0]}")


def test_who_may_redeem_a_code(labs):
    lab = labs("--approve", "browser")
    with Chromium() as chromium, Site(lab, redirectURIs="http://localhost/web") as site:
        sign_in(chromium, site, lab.people[0])
        # A page, with the code of a web app: the browser lets it read why not.
        address = chromium.run(f"return authorize({{redirect_uri: '{site.url}web', response_mode: 'query', prompt: 'none'}})")
        verifier = chromium.run("return app.pending.verifier")
        browser = Browser(*lab.people[0])
        arrived = browser.open(address.replace("&prompt=none", ""), until=site.url)
        code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(arrived.url).query))["code"]
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": site.url + "web", "code_verifier": verifier}
        refused = call(chromium, f"token({json.dumps(form)})")
        assert "AADSTS9002326" in refused.get("error", ""), refused
        # A program, with the code and the refresh token of a page.
        endpoint = chromium.run("return app.metadata.token_endpoint")
        form = {"client_id": site.client, "grant_type": "refresh_token",
                "refresh_token": chromium.run("return app.tokens.refresh_token")}
        assert requests.post(endpoint, data=form, timeout=60).json()["error_codes"] == [9002327]
        assert requests.post(endpoint, data=form, timeout=60, headers={"Origin": "https://evil.example"}
                             ).json()["error_codes"] == [9002326]
        # 24 hours after the sign-in, though it was renewed.
        lab.ssoterm("clock", "+23h")
        assert call(chromium, "refresh()").get("value")
        lab.ssoterm("clock", "+61m")
        assert "AADSTS700084" in call(chromium, "refresh()")["error"]


def test_a_page_reads_what_went_wrong(labs):
    lab = labs("--approve", "browser")
    with Chromium() as chromium, Site(lab) as site:
        sign_in(chromium, site, lab.people[0])
        lab.ssoterm("fault", "add", "token", "503:30", "--times", 1)
        assert call(chromium, "refresh()")["error"].startswith("temporarily_unavailable AADSTS90006")
        lab.ssoterm("fault", "add", "authorize", "503", "--times", 1)
        chromium.open(call(chromium, "authorize()")["value"])
        chromium.see("Sorry, but we’re having trouble signing you in")
