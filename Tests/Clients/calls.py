"""Calls of a client, recorded so that a failure names the client, the call, and the response."""
import importlib.metadata, urllib.parse

import msal, requests

from browser import Browser, Listener
from lab import GRAPH

SCOPES = [GRAPH + "User.Read"]


class Wire(requests.Session):
    """The requests that a client sends: `(method, path, form)` of each one."""

    def __init__(self):
        super().__init__()
        self.sent = []

    def request(self, method, url, *arguments, **named):
        form = named.get("data")
        self.sent.append((method.upper(), urllib.parse.urlsplit(url).path, dict(form) if isinstance(form, dict) else {}))
        return super().request(method, url, *arguments, **named)

    def during(self, call, *arguments, **named):
        """Returns the result of the call, and the requests that it sent."""
        before = len(self.sent)
        return call(*arguments, **named), self.sent[before:]


def words(call):
    package = getattr(call.__self__, "__module__", "").split(".")[0]
    return f"{package} {importlib.metadata.version(package)}, {call.__name__}"


def tokens(call, *arguments, **named):
    """Returns the response, which has an access token."""
    answer = call(*arguments, **named)
    assert answer and "access_token" in answer, f"{words(call)}: {answer}"
    return answer


def refusal(call, *arguments, **named):
    """Returns the error of a response without tokens."""
    answer = call(*arguments, **named)
    assert answer and "error" in answer, f"{words(call)}: {answer}"
    return answer["error"]


def public_app(lab, client_id=None, tenant=None, **named):
    authority = f"{lab.origin}/{tenant}" if tenant else lab.authority
    return msal.PublicClientApplication(client_id or lab.family[0], authority=authority, instance_discovery=False,
                                        **named)


def confidential_app(lab, credential=None, **named):
    client_id, secret = lab.confidential
    return msal.ConfidentialClientApplication(named.pop("client_id", client_id), authority=lab.authority,
                                              client_credential=credential or secret, instance_discovery=False, **named)


def approve(flow, person, accept=True):
    """The user types the code on another device."""
    return Browser(*person).open(flow["verification_uri"], user_code=flow["user_code"], accept=accept)


def sign_in(app, person, scopes=SCOPES):
    """Signs in by device code, the shortest way to tokens."""
    flow = app.initiate_device_flow(scopes)
    assert "user_code" in flow, f"{words(app.initiate_device_flow)}: {flow}"
    approve(flow, person)
    return tokens(app.acquire_token_by_device_flow, flow)


def code_answer(app, browser, path="", **named):
    """Runs a code flow up to the response at the redirect URI; returns the flow, the response, and its method."""
    with Listener(path) as listener:
        flow = app.initiate_auth_code_flow(named.pop("scopes", SCOPES), redirect_uri=listener.uri, **named)
        browser.open(flow["auth_uri"], until=listener.uri)
        return flow, listener.answer, listener.methods[-1]


def once(_flow):
    """MSAL's way to poll a device code no more than once."""
    return True
