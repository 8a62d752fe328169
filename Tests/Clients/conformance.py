"""The modules of the OpenID Foundation's plan “oidcc-basic-certification-test-plan” (OIDCCBasicTestPlan.java), by name, run
over the socket. Each one is a function of a relying party; its first line states what is expected of the provider."""
import base64, json, secrets

import requests
from joserfc import jwk, jwt

from browser import Browser, Listener

MODULES = {}


def module(name, result="passed", reason=None):
    """`result`: passed, refused (as Entra refuses), or not offered; with a reason unless it is passed."""
    def add(function):
        MODULES[name] = function, result, reason or function.__doc__
        return function
    return add


class Party:
    """A confidential client with a browser of its own."""

    def __init__(self, lab, listener):
        self.lab, self.listener = lab, listener
        self.metadata = requests.get(lab.issuer + "/.well-known/openid-configuration", timeout=60).json()
        self.client, self.secret = lab.confidential
        self.browser = Browser(*lab.people[0])

    def ask(self, method="GET", **changes):
        """The answer at the redirect URI; None if there was none, and `page` then has the page that was shown."""
        self.nonce, self.state = secrets.token_urlsafe(), secrets.token_urlsafe()
        fields = {"client_id": self.client, "redirect_uri": self.listener.uri, "response_type": "code", "scope": "openid",
                  "state": self.state, "nonce": self.nonce, **changes}
        fields = {name: value for name, value in fields.items() if value is not None}
        before, pages = len(self.listener.answers), len(self.browser.pages)
        endpoint = self.metadata["authorization_endpoint"]
        url = requests.Request("GET", endpoint, params=fields).prepare().url if method == "GET" else endpoint
        self.page = self.browser.open(url, until=self.listener.uri, form=fields if method == "POST" else None)
        self.asked = len(self.browser.pages) - pages                    # pages that the person saw
        if len(self.listener.answers) == before:
            return None
        answer = self.listener.answers[-1]
        assert answer["state"] == self.state, answer
        return answer

    def token(self, proof="basic", **form):
        form = {name: value for name, value in form.items() if value is not None}
        if proof == "basic":
            return requests.post(self.metadata["token_endpoint"], data=form, auth=(self.client, self.secret), timeout=60)
        form |= {"client_id": self.client, "client_secret": self.secret} if proof == "post" else {"client_id": proof}
        return requests.post(self.metadata["token_endpoint"], data=form, timeout=60)

    def redeem(self, answer, proof="basic", verifier=None):
        return self.token(proof, grant_type="authorization_code", code=answer["code"], redirect_uri=self.listener.uri,
                          code_verifier=verifier)

    def sign_in(self, proof="basic", verifier=None, **changes):
        """Tokens, and the claims of the ID token once it is verified."""
        answer = self.ask(**changes)
        assert answer and "code" in answer, answer or self.page.text
        response = self.redeem(answer, proof, verifier)
        assert response.ok and response.headers["Cache-Control"] == "no-store, no-cache", response.text
        tokens = response.json()
        assert tokens["token_type"] == "Bearer"
        return tokens, self.verified(tokens["id_token"], changes.get("nonce", self.nonce))

    def verified(self, token, nonce=None):
        keys = jwk.KeySet.import_key_set(requests.get(self.metadata["jwks_uri"], timeout=60).json())
        decoded = jwt.decode(token, keys, algorithms=["RS256"])
        assert decoded.header["kid"]
        rules = {"iss": {"essential": True, "value": self.metadata["issuer"]}, "aud": {"essential": True, "value": self.client},
                 "exp": {"essential": True}, "iat": {"essential": True}, "sub": {"essential": True}}
        # The lab's clock may have been moved on.
        jwt.JWTClaimsRegistry(leeway=3600, **rules).validate(decoded.claims)
        assert decoded.claims.get("nonce") == nonce, decoded.claims
        return decoded.claims

    def userinfo(self, tokens, method="GET", body=False):
        bearer = {} if body else {"Authorization": "Bearer " + tokens["access_token"]}
        form = {"access_token": tokens["access_token"]} if body else None
        answer = requests.request(method, self.metadata["userinfo_endpoint"], headers=bearer, data=form, timeout=60)
        assert answer.ok and answer.headers["Content-Type"].startswith("application/json"), answer.text
        return answer.json()

    def refused(self, number, **changes):
        answer = self.ask(**changes)
        assert answer and "code" not in answer and f"AADSTS{number}" in answer["error_description"], answer
        return answer["error"]


def run(lab, function):
    with Listener("/cb") as listener:
        function(Party(lab, listener))


def ignores(name, what, **changes):
    def check(party):
        party.sign_in(**changes)
    check.__doc__ = what
    module(name)(check)


@module("oidcc-server")
def _(party):
    """Code, tokens by client_secret_basic, ID token with iss, aud, exp, iat, nonce, sub; user info has the same sub."""
    tokens, claims = party.sign_in()
    assert party.userinfo(tokens)["sub"] == claims["sub"]


@module("oidcc-response-type-missing")
def _(party):
    """An error page, AADSTS900144; nothing is sent to the client."""
    assert party.ask(response_type=None) is None
    assert "AADSTS900144" in party.page.text


@module("oidcc-idtoken-signature")
def _(party):
    """Signed by the published key that kid specifies."""
    party.sign_in()


@module("oidcc-idtoken-unsigned", "not offered", "Entra signs every ID token: `none` is not among the algorithms of the discovery document.")
def _(party):
    assert party.metadata["id_token_signing_alg_values_supported"] == ["RS256"]


@module("oidcc-userinfo-get")
def _(party):
    """By GET with the header Authorization."""
    tokens, claims = party.sign_in()
    assert party.userinfo(tokens)["sub"] == claims["sub"]


@module("oidcc-userinfo-post-header")
def _(party):
    """By POST with the header Authorization."""
    tokens, claims = party.sign_in()
    assert party.userinfo(tokens, "POST")["sub"] == claims["sub"]


@module("oidcc-userinfo-post-body")
def _(party):
    """By POST with access_token in the form."""
    tokens, claims = party.sign_in()
    assert party.userinfo(tokens, "POST", body=True)["sub"] == claims["sub"]


@module("oidcc-ensure-request-without-nonce-succeeds-for-code-flow")
def _(party):
    """Tokens, and no nonce in the ID token."""
    party.sign_in(nonce=None)


@module("oidcc-scope-profile")
def _(party):
    """User info contains the name."""
    assert "name" in party.userinfo(party.sign_in(scope="openid profile")[0])


@module("oidcc-scope-email")
def _(party):
    """User info contains the email."""
    assert "email" in party.userinfo(party.sign_in(scope="openid email")[0])


NO_SCOPE = "Entra treats {} as a permission of Microsoft Graph, which does not have it: AADSTS650053."


@module("oidcc-scope-address", "refused", NO_SCOPE.format("`address`"))
def _(party):
    party.refused(650053, scope="openid address")


@module("oidcc-scope-phone", "refused", NO_SCOPE.format("`phone`"))
def _(party):
    party.refused(650053, scope="openid phone")


@module("oidcc-scope-all", "refused", NO_SCOPE.format("`address` and `phone`"))
def _(party):
    party.refused(650053, scope="openid profile email address phone")


ignores("oidcc-ensure-other-scope-order-succeeds", "Scopes in any order.", scope="email profile openid")
ignores("oidcc-display-page", "`display=page` changes nothing.", display="page")
ignores("oidcc-display-popup", "`display=popup` changes nothing.", display="popup")


@module("oidcc-prompt-login")
def _(party):
    """A user who is signed in is prompted for the password again."""
    party.sign_in()
    party.sign_in(prompt="login")
    assert party.asked > 0


@module("oidcc-prompt-none-not-logged-in")
def _(party):
    """`login_required`, and no page."""
    assert party.refused(50058, prompt="none") == "login_required" and party.asked == 0


@module("oidcc-prompt-none-logged-in")
def _(party):
    """A code without a page, for the same user."""
    _, first = party.sign_in()
    _, second = party.sign_in(prompt="none")
    assert first["sub"] == second["sub"] and party.asked == 0


@module("oidcc-max-age-1")
def _(party):
    """Two seconds later the user is prompted again, and auth_time is the new time."""
    _, first = party.sign_in(max_age=15000)
    party.lab.ssoterm("clock", "+2s")
    _, second = party.sign_in(max_age=1)
    assert party.asked > 0 and second["auth_time"] > first["auth_time"]


@module("oidcc-max-age-10000")
def _(party):
    """The user is not prompted, and auth_time is unchanged."""
    _, first = party.sign_in(max_age=10000)
    party.lab.ssoterm("clock", "+2s")
    _, second = party.sign_in(max_age=10000)
    assert party.asked == 0 and second["auth_time"] == first["auth_time"]


ignores("oidcc-ensure-request-with-unknown-parameter-succeeds", "An unknown parameter changes nothing.", extra="foobar")


@module("oidcc-id-token-hint")
def _(party):
    """With prompt=none, a code for the user of the hint."""
    tokens, first = party.sign_in()
    _, second = party.sign_in(prompt="none", id_token_hint=tokens["id_token"])
    assert first["sub"] == second["sub"]


@module("oidcc-login-hint")
def _(party):
    """The sign-in page is filled in."""
    name = party.lab.people[0][0]
    party.sign_in(login_hint=name)
    assert name in party.browser.pages[0].text


ignores("oidcc-ui-locales", "`ui_locales` changes nothing: the pages are in English.", ui_locales="se")
ignores("oidcc-claims-locales", "`claims_locales` changes nothing.", claims_locales="se")
ignores("oidcc-ensure-request-with-acr-values-succeeds", "`acr_values` changes nothing.", acr_values="1 2")


def redeem_twice(party, wait=None):
    answer = party.ask(scope="openid offline_access")
    first = party.redeem(answer).json()
    if wait:
        party.lab.ssoterm("clock", wait)
    again = party.redeem(answer)
    assert again.status_code == 400 and again.json()["error"] == "invalid_grant", again.text
    kept = party.token(grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert kept.status_code == 200, "the tokens of the first use stay valid, as AADSTS54005 says"


@module("oidcc-codereuse")
def _(party):
    """`invalid_grant`; the tokens of the first use stay valid, as at Entra (RFC 6749 §4.1.2 only recommends to revoke them)."""
    redeem_twice(party)


@module("oidcc-codereuse-30seconds")
def _(party):
    """The same half a minute later."""
    redeem_twice(party, "+30s")


@module("oidcc-ensure-registered-redirect-uri")
def _(party):
    """An error page, AADSTS50011; nothing is sent to the address."""
    assert party.ask(redirect_uri=party.listener.uri + "/foobar") is None
    assert "AADSTS50011" in party.page.text


@module("oidcc-ensure-post-request-succeeds")
def _(party):
    """The authorization endpoint accepts a form."""
    answer = party.ask("POST")
    assert answer and party.redeem(answer).ok, answer


@module("oidcc-server-client-secret-post")
def _(party):
    """Tokens by client_secret_post."""
    party.sign_in(proof="post")


@module("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported")
def _(party):
    """`request_uri_not_supported`."""
    answer = party.ask(request_uri="https://rp.example/request.jwt")
    assert answer["error"] == "request_uri_not_supported"


def unsigned(party):
    parts = {"alg": "none"}, {"client_id": party.client, "redirect_uri": party.listener.uri}
    return "".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") + "." for part in parts)


@module("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported")
def _(party):
    """`request_not_supported`."""
    assert party.ask(request=unsigned(party))["error"] == "request_not_supported"


@module("oidcc-claims-essential")
def _(party):
    """User info contains the requested claim."""
    tokens, _ = party.sign_in(claims=json.dumps({"userinfo": {"name": {"essential": True}}}))
    assert "name" in party.userinfo(tokens)


@module("oidcc-ensure-request-object-with-redirect-uri", "not offered", "Entra does not support request objects: `request_not_supported`.")
def _(party):
    assert party.ask(request=unsigned(party))["error"] == "request_not_supported"


@module("oidcc-refresh-token")
def _(party):
    """New tokens for the same user and client; another client is rejected."""
    tokens, first = party.sign_in(scope="openid offline_access", prompt="consent")
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    renewed = party.token(**form).json()
    claims = party.verified(renewed["id_token"])
    assert {name: claims[name] for name in ("iss", "aud", "sub")} == {name: first[name] for name in ("iss", "aud", "sub")}
    assert party.token(proof=party.lab.public, **form).json()["error"] == "invalid_grant"


ignores("oidcc-ensure-request-with-valid-pkce-succeeds", "The code is redeemed with the verifier.",
        code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method="S256",
        verifier="dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
