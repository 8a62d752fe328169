"""Authlib and joserfc, the strictest readers, verify the ID token with the published keys."""
import pytest, requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.errors import BadSignatureError, ClaimError, ExpiredTokenError
from joserfc.jwk import KeySet

from browser import Browser, Listener


def fetch(lab):
    """Signs in with Authlib: discovery, token answer, nonce, session."""
    discovery = requests.get(lab.issuer + "/.well-known/openid-configuration", timeout=60).json()
    with Listener() as listener:
        session = OAuth2Session(lab.public, scope="openid profile offline_access", redirect_uri=listener.uri,
                                code_challenge_method="S256", token_endpoint_auth_method="none")
        verifier, nonce = generate_token(48), generate_token()
        url, _ = session.create_authorization_url(discovery["authorization_endpoint"], code_verifier=verifier,
                                                  nonce=nonce)
        Browser(*lab.people[0]).open(url, until=listener.uri)
        token = session.fetch_token(discovery["token_endpoint"], code=listener.answer["code"], code_verifier=verifier)
    return discovery, token, nonce, session


def verify(lab, discovery, token, nonce):
    """The claims. Raises for a wrong signature, issuer, audience, time or nonce."""
    keys = KeySet.import_key_set(requests.get(discovery["jwks_uri"], timeout=60).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=["RS256"])
    rules = {"iss": discovery["issuer"], "aud": lab.public, "nonce": nonce}
    jwt.JWTClaimsRegistry(exp={"essential": True}, sub={"essential": True}, **{
        name: {"essential": True, "value": value} for name, value in rules.items()}).validate(decoded.claims)
    return decoded.claims


def test_the_id_token_verifies_and_userinfo_is_of_the_same_person(lab):
    discovery, token, nonce, session = fetch(lab)
    claims = verify(lab, discovery, token, nonce)
    assert claims["preferred_username"] == lab.people[0][0]
    person = session.get(discovery["userinfo_endpoint"]).json()
    assert person["sub"] == claims["sub"], person
    renewed = session.refresh_token(discovery["token_endpoint"], refresh_token=token["refresh_token"])
    assert renewed["access_token"] != token["access_token"]


def test_after_a_rollover_old_and_new_tokens_verify(lab):
    discovery, old, nonce, _ = fetch(lab)
    lab.ssoterm("fault", "add", "token", "keys:rollover", "--times", 1)
    _, new, new_nonce, _ = fetch(lab)
    verify(lab, discovery, old, nonce)
    verify(lab, discovery, new, new_nonce)
    assert len(requests.get(discovery["jwks_uri"], timeout=60).json()["keys"]) >= 2


@pytest.mark.parametrize("flaw, error", [
    ("signature", BadSignatureError), ("issuer", ClaimError), ("expired", ExpiredTokenError)])
def test_a_token_that_is_wrong_on_purpose_is_refused(lab, flaw, error):
    lab.ssoterm("fault", "add", "token", f"token:{flaw}", "--times", 1)
    discovery, token, nonce, _ = fetch(lab)
    with pytest.raises(error):
        verify(lab, discovery, token, nonce)
