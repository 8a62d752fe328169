"""The plugin that the wheel brings for pytest: each test has a lab of its own, which it changes at once."""
import urllib.parse

import msal, pytest, requests
from playwright.sync_api import sync_playwright

REDIRECT = "http://localhost/"


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        yield browser.new_page(ignore_https_errors=True)


def program(lab):
    return msal.PublicClientApplication(lab.variables["SSOTERM_CLIENT_ID3"], authority=lab.authority, instance_discovery=False)


def test_each_test_has_a_new_lab(ssoterm, ssoterm_lab):
    other = ssoterm_lab()
    ssoterm.add_person("eve@contoso.com", "a password", displayName="Eve")
    names = [[row["name"] for row in lab.run("person", "list")["records"]] for lab in (ssoterm, other)]
    assert "eve@contoso.com" in names[0] and "eve@contoso.com" not in names[1]


def test_the_pages_are_answered(ssoterm, page):
    flow = program(ssoterm).initiate_auth_code_flow(["User.Read"], redirect_uri=REDIRECT)
    places = []
    page.on("response", lambda answer: places.append(answer.headers.get("location", "")))
    page.goto(flow["auth_uri"])
    assert ssoterm.answer(page, "ada@contoso.com", "wrong").startswith("AADSTS50126")
    page.goto(flow["auth_uri"])
    ssoterm.answer(page, "ada@contoso.com")
    [back] = [place for place in places if place.startswith(REDIRECT)]
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))
    app = program(ssoterm)
    tokens = app.acquire_token_by_auth_code_flow(flow, answer)
    assert tokens.get("token_source") == "identity_provider", tokens
    # What happens to the sign-in afterwards.
    [account] = app.get_accounts()
    ssoterm.revoke("ada@contoso.com")
    refused = app.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
    assert refused["error_codes"] == [50173]
    assert any("AADSTS50173" in trace["summary"] for trace in ssoterm.traces())


@pytest.mark.ssoterm("refused-by-policy", until=1)
def test_a_marker_names_the_scenario(ssoterm):
    document = requests.get(ssoterm.authority + "/v2.0/.well-known/openid-configuration", timeout=60).json()
    assert document["issuer"].startswith(ssoterm.origin)
    assert ssoterm.run("status")
