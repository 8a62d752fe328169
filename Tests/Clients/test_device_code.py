"""MSAL Python, device code (RFC 8628)."""
import json

import msal

from calls import SCOPES, approve, once, public_app, refusal, tokens


def test_tokens_come_once_the_person_has_approved(lab):
    cache = msal.SerializableTokenCache()
    app = public_app(lab, token_cache=cache)
    flow = app.initiate_device_flow(SCOPES)
    assert {"user_code", "device_code", "verification_uri", "message", "expires_in", "interval"} <= set(flow), flow
    assert refusal(app.acquire_token_by_device_flow, flow, exit_condition=once) == "authorization_pending"
    approve(flow, lab.people[0])
    lab.ssoterm("clock", "+5s")
    answer = tokens(app.acquire_token_by_device_flow, flow)
    claims = answer["id_token_claims"]
    assert (claims["aud"], claims["preferred_username"]) == (lab.family[0], lab.people[0][0]), claims
    assert {"iss", "oid", "tid", "sub", "exp", "iat", "ver"} <= set(claims), claims
    assert answer["token_type"] == "Bearer" and answer["expires_in"] > 300, answer
    [account] = app.get_accounts()
    assert account["home_account_id"] == f"{claims['oid']}.{claims['tid']}", account
    kept = {kind: len(entries) for kind, entries in json.loads(cache.serialize()).items()}
    assert kept == {"AccessToken": 1, "RefreshToken": 1, "IdToken": 1, "Account": 1, "AppMetadata": 1}
    assert refusal(app.acquire_token_by_device_flow, flow, exit_condition=once) == "invalid_grant"


def test_a_poll_too_soon_is_told_to_slow_down(lab):
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    assert refusal(app.acquire_token_by_device_flow, flow, exit_condition=once) == "authorization_pending"
    assert refusal(app.acquire_token_by_device_flow, flow, exit_condition=once) == "slow_down"


def test_a_declined_code_ends_the_polling(lab):
    app = public_app(lab, lab.public)
    flow = app.initiate_device_flow(SCOPES)
    approve(flow, lab.people[0], accept=False)
    assert refusal(app.acquire_token_by_device_flow, flow) == "authorization_declined"


def test_an_expired_code_ends_the_polling(lab):
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    lab.ssoterm("clock", "+15m")
    assert refusal(app.acquire_token_by_device_flow, flow) == "expired_token"


def test_an_unknown_code_is_refused(lab):
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    flow["device_code"] += "x"
    assert refusal(app.acquire_token_by_device_flow, flow) == "invalid_grant"
