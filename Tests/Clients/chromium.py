"""Debian's headless chromium, driven by WebDriver (W3C) over plain HTTP."""
import base64, shutil, subprocess, time

import requests

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Chromium:
    def __init__(self, dark=False, third_party_cookies=False, recording=False):
        driver = shutil.which("chromedriver")
        assert driver, "chromedriver is missing: Scripts/install-packages clients"
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.start(dark, third_party_cookies, recording)
        except BaseException:                # without a session nobody would end the driver
            self.end()
            raise

    def start(self, dark, third_party_cookies, recording):
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.address = "http://127.0.0.1:" + line.rsplit(" ", 1)[1].strip(". \n")
                break
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=800,900"] + (["--force-dark-mode"] if dark else [])
        # A frame of https://localhost in a page of http://localhost is a third party's: Debian's chromium blocks its cookies.
        preferences = {"profile.block_third_party_cookies": False, "profile.cookie_controls_mode": 0}
        options = {"args": flags, **({"prefs": preferences} if third_party_cookies else {})}
        capabilities = {"acceptInsecureCerts": True, "goog:chromeOptions": options}
        if recording:
            capabilities["goog:loggingPrefs"] = {"performance": "ALL"}
        self.address += "/session/" + self.call("POST", "/session", capabilities={"alwaysMatch": capabilities})["sessionId"]

    def call(self, method, path, **values):
        answer = self.request(method, path, **values)
        value = answer.json()["value"]
        assert answer.ok, f"{method} {path}: {value['error']}: {value['message'][:300]}"
        return value

    def devtools(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", cmd=command, params=parameters)

    def request(self, method, path, **values):
        return requests.request(method, self.address + path, json=values if method == "POST" else None, timeout=60)

    def open(self, url):
        self.call("POST", "/url", url=url)

    @property
    def url(self):
        return self.call("GET", "/url")

    def run(self, script):
        return self.call("POST", "/execute/sync", script=script, args=[])

    def see(self, heading, seconds=60):
        """Waits for a page with this heading; a script that a page on the way interrupts is not a failure."""
        until = time.monotonic() + seconds
        script = "return (document.querySelector('h1') || {}).textContent || document.title"
        while (found := self.request("POST", "/execute/sync", script=script, args=[]).json()["value"]) != heading:
            assert time.monotonic() < until, f"expected “{heading}”, found “{found}” at {self.url}"
            time.sleep(.05)

    def element(self, css):
        found = self.call("POST", "/element", using="css selector", value=css)
        return "/element/" + found[ELEMENT]

    def type(self, css, text):
        element = self.element(css)
        self.call("POST", element + "/clear")
        self.call("POST", element + "/value", text=text)

    def click(self, css, seconds=60):
        """Clicks a link to another page and waits until the old one is gone: a click may return before its response
        is there, and two pages that follow one another may have the same heading."""
        page = self.element("html")
        self.call("POST", self.element(css) + "/click")
        until = time.monotonic() + seconds
        while self.request("GET", page + "/name").ok:
            assert time.monotonic() < until, f"the page at {self.url} is still there after a click on {css}"
            time.sleep(.02)

    def sign_in(self, username, password):
        """Fills in the sign-in page that is shown, and the one after it."""
        self.see("Sign in")
        self.type("#i0116", username)
        self.click("form button")
        self.see("Enter password")
        self.type("#i0118", password)
        self.click("form button")

    def shoot(self, path):
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.end()

    def end(self):
        self.driver.terminate()
        self.driver.wait()
