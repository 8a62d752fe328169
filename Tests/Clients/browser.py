"""A browser without JavaScript: follows redirects, stores cookies, and fills in forms by the type of their fields."""
import html.parser, socket, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests


class Forms(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append({"action": given["action"], "fields": [], "buttons": []})
        elif tag == "button" or given.get("type") == "submit":
            self.forms[-1]["buttons"].append((given.get("name"), given.get("value") or ""))
        elif tag == "input":
            self.forms[-1]["fields"].append((given.get("type", "text"), given.get("name"), given.get("value") or ""))


class Browser:
    """A user who signs in as `username` and accepts everything; without a password, only where none is required."""

    def __init__(self, username=None, password=None):
        self.username, self.password, self.session = username, password, requests.Session()
        self.pages, self.waits_at, self.waiting = [], None, threading.Event()

    def open(self, url, until=None, user_code=None, accept=True, form=None):
        """Continues until it has answered at `until`, or a page has nothing to fill in; returns the last response."""
        answer = self.session.request("POST" if form else "GET", url, data=form, allow_redirects=False, timeout=60)
        while len(self.pages) < 30:
            if answer.is_redirect:
                url = urllib.parse.urljoin(answer.url, answer.headers["Location"])
                answer = self.session.get(url, allow_redirects=False, timeout=60)
                continue
            if until and answer.url.startswith(until):
                return answer
            if 'http-equiv="refresh"' in answer.text:        # a page that waits for the person
                self.waits_at = answer.url
                self.waiting.set()
                time.sleep(.1)
                answer = self.session.get(answer.url, allow_redirects=False, timeout=60)
                continue
            self.pages.append(answer)
            filled = next(filter(None, (self.fill(form, user_code, accept) for form in Forms(answer.text).forms)), None)
            if not filled:
                return answer
            url = urllib.parse.urljoin(answer.url, filled[0])
            answer = self.session.post(url, data=filled[1], allow_redirects=False, timeout=60)
        raise AssertionError(f"the pages go round in circles: {[page.url for page in self.pages]}")

    def fill(self, form, user_code, accept):
        """Returns where to post and what, or None for a form that is not for this user."""
        values = {name: value for kind, name, value in form["fields"] if name}
        typed = {name: kind for kind, name, _ in form["fields"] if kind != "hidden"}
        for name, kind in typed.items():
            known = self.password if kind == "password" else user_code if "code" in name else self.username
            if known is None:
                return None
            values[name] = known
        cancels = [button for button in form["buttons"] if button[0] == "cancel"]
        # A tile is a button with the user's name, consent is a button to accept; a form of hidden fields sends itself.
        named = [button for button in form["buttons"] if button[0] and button not in cancels]
        if any(name == "username" and value != self.username for name, value in named):
            return None
        pressed = cancels if cancels and not accept and not typed else named
        return form["action"], {**values, **dict(pressed[:1])}


class Listener:
    """The loopback redirect URI of an app: accepts one response by GET or POST."""

    def __init__(self, path="", host="localhost"):
        listener = self
        self.answers, self.methods = [], []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def take(self, query):
                if query:
                    listener.answers.append(dict(urllib.parse.parse_qsl(query)))
                    listener.methods.append(self.command)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><title>done</title>")

            def do_GET(self):
                self.take(urllib.parse.urlsplit(self.path).query)

            def do_POST(self):
                self.take(self.rfile.read(int(self.headers["Content-Length"])).decode())

        class Server(HTTPServer):
            address_family = socket.AF_INET6 if host == "[::1]" else socket.AF_INET

        self.server = Server(("::1" if host == "[::1]" else "127.0.0.1", 0), Handler)
        self.uri = f"http://{host}:{self.server.server_address[1]}{path}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def answer(self):
        assert self.answers, f"nothing came to {self.uri}"
        return self.answers[-1]
