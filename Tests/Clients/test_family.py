"""MSAL Python: a family of client IDs (FOCI)."""
import json

import msal

from calls import SCOPES, Wire, public_app, sign_in, tokens


def test_the_second_app_of_a_family_signs_in_with_the_firsts_token_and_a_stranger_does_not(lab):
    cache = msal.SerializableTokenCache()
    first = public_app(lab, token_cache=cache)
    assert sign_in(first, lab.people[0])["foci"] == "1"

    wire = Wire()
    second = public_app(lab, lab.family[1], token_cache=cache, http_client=wire)
    [account] = second.get_accounts()
    _, sent = wire.during(tokens, second.acquire_token_silent, SCOPES, account=account)
    assert [form["client_id"] for _, _, form in sent] == [lab.family[1]], sent
    metadata = json.loads(cache.serialize())["AppMetadata"].values()
    assert [entry["family_id"] for entry in metadata] == ["1", "1"]

    stranger = public_app(lab, lab.public, token_cache=cache, http_client=wire)
    answer, sent = wire.during(stranger.acquire_token_silent_with_error, SCOPES, account=account)
    assert "access_token" not in (answer or {}) and len(sent) == 1, (answer, sent)
    tokens(first.acquire_token_silent, SCOPES, account=account, force_refresh=True)
