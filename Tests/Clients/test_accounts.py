"""MSAL Python: two users in one cache, one of whom signs out."""
import json

import msal

from calls import SCOPES, Wire, public_app, sign_in, tokens


def test_removing_one_of_two_people_leaves_the_other_whole(lab):
    cache, wire = msal.SerializableTokenCache(), Wire()
    app = public_app(lab, tenant="organizations", token_cache=cache, http_client=wire)
    subjects = [sign_in(app, person)["id_token_claims"]["oid"] for person in lab.people]
    accounts = {account["username"]: account for account in app.get_accounts()}
    ada, grace = (accounts[name] for name, _ in lab.people)
    assert [ada["local_account_id"], grace["local_account_id"]] == subjects and subjects[0] != subjects[1]
    assert (ada["realm"], grace["realm"]) == ("organizations", "organizations")

    _, sent = wire.during(app.remove_account, ada)
    left = json.loads(cache.serialize())
    assert sent == [] and ada["home_account_id"] not in json.dumps(left)
    assert {kind: len(left[kind]) for kind in ("AccessToken", "RefreshToken", "IdToken", "Account")} == {
        "AccessToken": 1, "RefreshToken": 1, "IdToken": 1, "Account": 1}
    tokens(app.acquire_token_silent, SCOPES, account=grace, force_refresh=True)
