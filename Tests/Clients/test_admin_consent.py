"""The addresses /adminconsent, at which an administrator consents for the organisation."""
import urllib.parse

import requests

CALLBACK = "http://localhost/cb"


def open_page(lab, path, **fields):
    return requests.get(f"{lab.origin}/contoso.com/{path}", {"client_id": lab.public, "redirect_uri": CALLBACK, "state": "12345", **fields},
                        allow_redirects=False, timeout=60)


def answer(response):
    assert response.status_code == 302, response.text
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(response.headers["Location"]).query))


def password(lab, scope):
    name, word = lab.people[1]
    return requests.post(lab.authority + "/oauth2/v2.0/token", {
        "grant_type": "password", "client_id": lab.public, "username": name, "password": word, "scope": scope}, timeout=60)


def test_an_administrator_consents_for_everybody(labs):
    lab = labs("--approve", "auto:ada@contoso.com")
    assert password(lab, "Calendars.Read").json()["error_codes"] == [65001]
    refused = open_page(lab, "v2.0/adminconsent", scope="https://graph.microsoft.com/Calendars.Read")
    assert refused.status_code == 400 and "AADSTS90094" in refused.text
    lab.ssoterm("person", "set", "ada@contoso.com", "isAdministrator=yes")
    scope = "https://graph.microsoft.com/Calendars.Read https://graph.microsoft.com/Mail.Send"
    given = answer(open_page(lab, "v2.0/adminconsent", scope=scope))
    assert list(given) == ["admin_consent", "tenant", "scope", "state"]
    assert (given["admin_consent"], given["scope"], given["state"]) == ("True", scope, "12345")
    assert given["tenant"] in lab.issuer
    assert password(lab, "openid offline_access Calendars.Read").status_code == 200
    assert password(lab, "Files.Read").json()["error_codes"] == [65001]
    assert list(answer(open_page(lab, "adminconsent"))) == ["admin_consent", "tenant", "state"]
    assert password(lab, "Files.Read").status_code == 200
