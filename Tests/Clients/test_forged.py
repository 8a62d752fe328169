"""Libraries that verify access tokens, tested with tokens that `ssoterm token forge` made invalid in one way each."""
import uuid, warnings

import jwt as pyjwt
import pytest, requests
from joserfc import jwk, jwt as joserfc
from joserfc.errors import JoseError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from authlib.jose import JsonWebKey, JsonWebToken
    from authlib.jose.errors import JoseError as AuthlibError


@pytest.fixture(scope="module")
def api(shared_lab):
    """An API of the lab with tokens of version 2: its client ID."""
    client = str(uuid.uuid4())
    shared_lab.ssoterm("registration", "add", client, "displayName=An API", "accessTokenVersion=2", "exposedScopes=read")
    return client


def by_pyjwt(lab, api, token):
    key = pyjwt.PyJWKClient(lab.authority + "/discovery/v2.0/keys").get_signing_key_from_jwt(token)
    return pyjwt.decode(token, key, algorithms=["RS256"], audience=api, issuer=lab.issuer,
                        options={"require": ["exp", "nbf", "iss", "aud"]})


def published(lab):
    return requests.get(lab.authority + "/discovery/v2.0/keys", timeout=60).json()


def rules(lab, api):
    return {"iss": {"essential": True, "value": lab.issuer}, "aud": {"essential": True, "value": api},
            "exp": {"essential": True}}


def by_joserfc(lab, api, token):
    token = joserfc.decode(token, jwk.KeySet.import_key_set(published(lab)), algorithms=["RS256"])
    joserfc.JWTClaimsRegistry(**rules(lab, api)).validate(token.claims)
    return token.claims


def by_authlib(lab, api, token):
    claims = JsonWebToken(["RS256"]).decode(token, JsonWebKey.import_key_set(published(lab)), claims_options=rules(lab, api))
    claims.validate()
    return claims


# What it raises.
LIBRARIES = [(by_pyjwt, pyjwt.PyJWTError), (by_joserfc, (JoseError, ValueError)), (by_authlib, (AuthlibError, ValueError))]


@pytest.mark.parametrize("verify, refusal", LIBRARIES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_library_refuses_what_is_wrong(lab, api, verify, refusal):
    kinds = [row["kind"] for row in lab.rows("token", "forge")]
    assert len(kinds) >= 12
    for kind in kinds:
        made = lab.json("token", "forge", kind, "--for", api, "--permission", "read")
        assert made["source"] and (made["check"] or kind == "valid"), made
        if kind in ("valid", "huge"):                        # these libraries leave the length to the web server
            assert verify(lab, api, made["token"])["scp"] == "read", kind
        else:
            with pytest.raises(refusal):
                verify(lab, api, made["token"])
                pytest.fail(f"{verify.__name__} accepts a token that is wrong: {kind}: {made['flaw']}", pytrace=False)


def test_the_lab_itself_refuses_them(lab):
    """User info accepts tokens of Microsoft Graph; the right one lacks the scope openid."""
    for kind in [row["kind"] for row in lab.rows("token", "forge")]:
        token = lab.json("token", "forge", kind, "--for", "https://graph.microsoft.com", "--permission", "User.Read")["token"]
        answer = requests.get(lab.origin + "/oidc/userinfo", timeout=60, headers={"Authorization": "Bearer " + token})
        # The lab serves every tenant, and the other one has no such person; the socket takes no header of 100 kB.
        expected = {"valid": (403,), "other-tenant": (401, 403), "huge": (401, 431)}.get(kind, (401,))
        assert answer.status_code in expected, (kind, answer.status_code, answer.text[:200])
