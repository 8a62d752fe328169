"""A HAR 1.2 recording, created from chromium's own DevTools events (chromedriver's performance log)."""
import json, time

import requests


class Recording:
    """Collects what the browser did since the last call of `take`."""

    def __init__(self, chromium):
        self.chromium, self.entries, self.open, self.extra = chromium, [], {}, {}

    def take(self):
        for line in self.chromium.call("POST", "/se/log", type="performance"):
            message = json.loads(line["message"])["message"]
            handler = getattr(self, message["method"].replace("Network.", "on_"), None)
            if handler:
                handler(message["params"])

    def on_requestWillBeSent(self, event):
        if "redirectResponse" in event:
            self.close(event["requestId"], event["redirectResponse"])
        if event["request"]["url"].startswith("http"):
            self.open[event["requestId"]] = event

    def on_requestWillBeSentExtraInfo(self, event):
        self.extra.setdefault(event["requestId"], {})["request"] = event["headers"]

    def on_responseReceivedExtraInfo(self, event):
        self.extra.setdefault(event["requestId"], {})["response"] = event["headers"]

    def on_responseReceived(self, event):
        self.close(event["requestId"], event["response"])

    def close(self, request_id, response):
        event = self.open.pop(request_id, None)
        if event is None:
            return
        request, extra = event["request"], self.extra.pop(request_id, {})
        body = request.get("postData", "")
        if not body and request.get("hasPostData"):
            try:
                body = self.chromium.devtools("Network.getRequestPostData", requestId=request_id)["postData"]
            except AssertionError:
                body = ""
        sent = {**request["headers"], **extra.get("request", {})}
        received = {**response["headers"], **extra.get("response", {})}
        self.entries.append(entry(request["method"], request["url"], event["wallTime"], sent, body, response["status"],
                                  received, self.body(request_id), response.get("mimeType", "")))

    def body(self, request_id):
        """A page that another one has followed no longer has one."""
        try:
            return self.chromium.devtools("Network.getResponseBody", requestId=request_id)["body"]
        except AssertionError:
            return ""

    def add(self, method, url, form, answer):
        """A request that the program behind the browser sent itself."""
        request = answer.request
        self.entries.append(entry(method, url, time.time() - answer.elapsed.total_seconds(), dict(request.headers),
                                  form, answer.status_code, dict(answer.headers), answer.text,
                                  answer.headers.get("Content-Type", "")))

    def write(self, path):
        self.take()
        path.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "chromium", "version": "1"},
                                            "entries": self.entries}}))


class Traffic:
    """The requests that `requests` sends in a test."""

    def __init__(self, monkeypatch):
        self.recording = Recording(None)
        send = requests.Session.send

        def recorded(session, request, **options):
            answer = send(session, request, **options)
            body = request.body.decode() if isinstance(request.body, bytes) else request.body or ""
            self.recording.add(request.method, request.url, body, answer)
            return answer
        monkeypatch.setattr(requests.Session, "send", recorded)

    def text(self, origin):
        """The recording, with Entra's host in place of the lab's."""
        log = {"version": "1.2", "creator": {"name": "requests", "version": "1"}, "entries": self.recording.entries}
        return json.dumps({"log": log}).replace(origin, "https://login.microsoftonline.com")


def entry(method, url, at, sent, body, status, received, text, mime):
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1000):03d}Z"
    request = {"method": method, "url": url, "headers": pairs(sent)}
    if body:
        request["postData"] = {"mimeType": "application/x-www-form-urlencoded", "text": body}
    location = next((value for name, value in received.items() if name.lower() == "location"), "")
    return {"startedDateTime": moment, "time": 10, "request": request,
            "response": {"status": status, "headers": pairs(received), "redirectURL": location,
                         "content": {"mimeType": mime, "text": text, "size": len(text)}}}


def pairs(headers):
    return [{"name": name, "value": value} for name, value in headers.items()]
