"""A client that handles claims challenges is informed that its token was revoked, and requests another; an API receives
groups and roles."""
import base64, re

import jwt, msal, requests

from calls import SCOPES, sign_in, tokens


def app(lab, capabilities=("cp1",)):
    return msal.PublicClientApplication(lab.family[0], authority=lab.authority, instance_discovery=False,
                                        client_capabilities=list(capabilities))


def ask(lab, token, path="/v1.0/me"):
    return requests.get(lab.origin + path, headers={"Authorization": "Bearer " + token}, timeout=60)


def challenge(answer):
    """The claims of a challenge, as a client's middleware reads them."""
    header = answer.headers["WWW-Authenticate"]
    assert answer.status_code == 401 and 'error="insufficient_claims"' in header, header
    return base64.b64decode(re.search('claims="([^"]+)"', header).group(1)).decode()


def test_a_client_is_challenged_and_asks_the_person_again(labs):
    lab = labs("--approve", "browser")
    client = app(lab)
    first = sign_in(client, lab.people[0], SCOPES)
    assert first["expires_in"] == 28 * 3600 and ask(lab, first["access_token"]).status_code == 200
    lab.ssoterm("revoke", lab.people[0][0])
    claims = challenge(ask(lab, first["access_token"]))
    [account] = client.get_accounts()
    refused = client.acquire_token_silent_with_error(SCOPES, account, claims_challenge=claims)
    assert refused["error_codes"] == [50173] and refused["suberror"] == "bad_token", refused
    assert "revoked, not expired" in lab.ssoterm("tokens")
    again = sign_in(app(lab), lab.people[0], SCOPES)
    assert ask(lab, again["access_token"]).status_code == 200


def test_a_changed_policy_is_met_by_a_new_token(labs):
    lab = labs("--approve", "browser")
    client = app(lab)
    first = sign_in(client, lab.people[0], SCOPES)
    lab.ssoterm("policy", "add", "others", "--require", "compliantDevice", "--person", lab.people[0][0], "--client",
                lab.family[0])
    claims = challenge(ask(lab, first["access_token"], "/resource"))
    lab.ssoterm("policy", "remove", "others")
    [account] = client.get_accounts()
    second = tokens(client.acquire_token_silent_with_error, SCOPES, account, claims_challenge=claims)
    assert second["token_source"] == "identity_provider"
    assert ask(lab, second["access_token"], "/resource").json()["accepted"]


def test_a_client_without_the_capability_keeps_its_token(labs):
    lab = labs("--approve", "browser")
    first = sign_in(app(lab, ()), lab.people[0], SCOPES)
    lab.ssoterm("revoke", lab.people[0][0])
    assert first["expires_in"] == 3600 and ask(lab, first["access_token"]).status_code == 200


def test_groups_and_roles_come_into_tokens(lab):
    name, api = lab.people[0][0], lab.confidential[0]
    lab.ssoterm("group", "add", "engineers", f"members+={name}")
    lab.ssoterm("role", "add", "Orders.Read", f"clientID={api}", "members+=engineers")
    lab.ssoterm("registration", "set", api, "groupMembershipClaims=SecurityGroup")
    client = app(lab)
    scope = [f"api://{api}/access_as_user"]
    claims = jwt.decode(sign_in(client, lab.people[0], scope)["access_token"], options={"verify_signature": False})
    [group] = claims["groups"]
    assert claims["roles"] == ["Orders.Read"]
    [account] = client.get_accounts()
    graph = tokens(client.acquire_token_silent_with_error, SCOPES, account)["access_token"]
    [found] = ask(lab, graph, "/v1.0/me/memberOf").json()["value"]
    assert found["id"] == group and found["displayName"] == "engineers"
    lab.ssoterm("person", "set", name, "hasManyGroups=yes")
    over = tokens(client.acquire_token_silent_with_error, scope, account, force_refresh=True)["access_token"]
    assert "groups" in jwt.decode(over, options={"verify_signature": False})["_claim_names"]
    lab.ssoterm("person", "set", name, "hasManyGroups=")


def test_a_changed_password_ends_refresh_tokens(labs):
    lab = labs("--approve", "browser")
    client = app(lab, ())
    sign_in(client, lab.people[0], SCOPES)
    lab.ssoterm("person", "set", lab.people[0][0], "password=new")
    [account] = client.get_accounts()
    refused = client.acquire_token_silent_with_error(SCOPES, account, force_refresh=True)
    assert refused["error_codes"] == [50173], refused


def test_many_wrong_passwords_lock_the_account(labs):
    lab = labs("--approve", "browser")
    name, password = lab.people[0]

    def ask_with(password):
        return requests.post(lab.authority + "/oauth2/v2.0/token", timeout=60, data={
            "grant_type": "password", "client_id": lab.family[0], "username": name, "password": password,
            "scope": SCOPES[0]}).json().get("error_codes")

    assert [ask_with(f"wrong {n}") for n in range(11)] == [[50126]] * 10 + [[50053]]
    assert ask_with(password) == [50053]
    lab.ssoterm("clock", "+2m")
    assert ask_with(password) is None


def test_a_policy_asks_for_a_second_factor(labs):
    """MSAL's silent call is rejected with the claims of the policy; a new sign-in provides the factor, which lasts."""
    lab = labs("--approve", "auto:ada")
    client = app(lab, ())

    def sign_in_by_code():
        return tokens(client.acquire_token_by_device_flow, client.initiate_device_flow(SCOPES))

    sign_in_by_code()
    lab.ssoterm("policy", "add", "two", "--require", "mfa")
    [account] = client.get_accounts()
    refused = client.acquire_token_silent_with_error(SCOPES, account=account, force_refresh=True)
    assert (refused["error"], refused["suberror"], refused["error_codes"]) == ("invalid_grant", "basic_action", [50076])
    assert "capolids" in refused["claims"], refused
    sign_in_by_code()
    tokens(client.acquire_token_silent_with_error, SCOPES, account=account, force_refresh=True)
