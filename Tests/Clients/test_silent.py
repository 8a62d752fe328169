"""MSAL Python without user interaction: its cache, forced refresh, and the effects of the lab's commands."""
import base64, json

import msal, pytest

from calls import SCOPES, Wire, public_app, refusal, sign_in, tokens


@pytest.fixture
def signed_in(lab):
    """An app with a token, its account, and what it sends."""
    wire = Wire()
    app = public_app(lab, token_cache=msal.SerializableTokenCache(), http_client=wire)
    sign_in(app, lab.people[0])
    return app, app.get_accounts(username=lab.people[0][0])[0], wire


def refresh_tokens(app):
    return [entry["secret"] for entry in json.loads(app.token_cache.serialize())["RefreshToken"].values()]


def audience(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["aud"]


def test_a_cached_token_is_served_without_a_request(signed_in):
    app, account, wire = signed_in
    answer, sent = wire.during(tokens, app.acquire_token_silent, SCOPES, account=account)
    assert answer["token_source"] == "cache" and sent == [], sent


def test_a_new_process_asks_for_discovery_only(lab, signed_in):
    app, _, _ = signed_in
    cache, wire = msal.SerializableTokenCache(), Wire()
    cache.deserialize(app.token_cache.serialize())
    again = public_app(lab, token_cache=cache, http_client=wire)
    tokens(again.acquire_token_silent, SCOPES, account=again.get_accounts()[0])
    assert [path.split("/", 2)[2] for _, path, _ in wire.sent] == ["v2.0/.well-known/openid-configuration"]


def test_a_forced_refresh_is_one_request_and_rotates_the_token(signed_in):
    app, account, wire = signed_in
    before = refresh_tokens(app)
    first = tokens(app.acquire_token_silent, SCOPES, account=account)
    second, sent = wire.during(tokens, app.acquire_token_silent, SCOPES, account=account, force_refresh=True)
    [(method, _, form)] = sent
    assert (method, form["grant_type"]) == ("POST", "refresh_token")
    assert second["access_token"] != first["access_token"]
    assert len(refresh_tokens(app)) == 1 and refresh_tokens(app) != before
    assert len(app.get_accounts()) == 1


def test_another_resource_is_signed_in_to_by_the_refresh_token(signed_in):
    app, account, _ = signed_in
    graph = tokens(app.acquire_token_silent, SCOPES, account=account)["access_token"]
    other = tokens(app.acquire_token_silent, ["https://management.core.windows.net//.default"], account=account)
    assert audience(other["access_token"]) != audience(graph)


@pytest.mark.parametrize("command", ["expire", "invalidate"])
def test_what_the_lab_does_to_a_refresh_token_reaches_the_program(lab, signed_in, command):
    app, account, _ = signed_in
    [secret] = refresh_tokens(app)
    credential = next(row["id"] for row in lab.rows("tokens", "--unmask") if row.get("secret") == secret)
    lab.ssoterm(command, credential)
    refused = refusal(app.acquire_token_silent_with_error, SCOPES, account=account, force_refresh=True)
    assert refused == "invalid_grant"


def test_a_fault_hits_as_often_as_it_is_set(lab, signed_in):
    app, account, _ = signed_in
    lab.ssoterm("fault", "add", "token", "invalid_grant:bad_token", "--client", lab.family[0], "--times", 1)
    call = app.acquire_token_silent_with_error
    answer = call(SCOPES, account=account, force_refresh=True)
    assert (answer.get("error"), answer.get("suberror")) == ("invalid_grant", "bad_token"), answer
    assert lab.rows("fault", "list") == []
    other = ["https://management.core.windows.net//.default"]     # MSAL does not repeat a refused request for a minute
    tokens(call, other, account=account, force_refresh=True)
