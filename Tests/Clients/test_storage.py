"""A token for Azure Storage, checked against the requirements of Azurite with `--oauth basic`
(src/blob/authentication/BlobTokenAuthenticator.ts)."""
import re, time

import jwt, pytest

from calls import confidential_app, public_app, sign_in, tokens

ISSUERS = ("https://sts.windows.net/", "https://sts.microsoftonline.de/", "https://sts.chinacloudapi.cn/", "https://sts.windows-ppe.net")
ACCOUNT = "devstoreaccount1"
AUDIENCES = [r"https://storage\.azure\.com/?", r"e406a681-f3d4-42a8-90b6-c2b029497af1", r"https://(.*)\.blob\.core\.windows\.net/?"]


def is_taken_by_azurite(token):
    claims, now = jwt.decode(token, options={"verify_signature": False}), time.time()
    found = [match for match in (re.fullmatch(audience, claims["aud"]) for audience in AUDIENCES) if match]
    return ("iat" in claims and claims["nbf"] <= now + 1 and now < claims["exp"] and claims["iss"].startswith(ISSUERS) and found
            and (not found[0].groups() or found[0][1] == ACCOUNT))


@pytest.mark.parametrize("resource", ["https://storage.azure.com", f"https://{ACCOUNT}.blob.core.windows.net"])
def test_azurite_takes_a_persons_and_a_services_token(lab, resource):
    scopes = [resource + "/.default"]
    person = sign_in(public_app(lab), lab.people[0], scopes)["access_token"]
    service = tokens(confidential_app(lab).acquire_token_for_client, scopes)["access_token"]
    assert is_taken_by_azurite(person) and is_taken_by_azurite(service)
    assert jwt.decode(person, options={"verify_signature": False})["upn"] == lab.people[0][0]


def test_azurite_does_not_take_a_token_for_graph(lab):
    graph = tokens(confidential_app(lab).acquire_token_for_client, ["https://graph.microsoft.com/.default"])
    assert not is_taken_by_azurite(graph["access_token"])
