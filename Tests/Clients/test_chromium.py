"""The HTML pages in a real browser, with pictures in .build/clients-report."""
import pytest

from browser import Listener
from calls import SCOPES, public_app, tokens
from chromium import Chromium


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_person_signs_in_on_the_pages(labs, report, dark):
    """Name, password, consent, an answer by form_post; then the picker of the session, an answer by query."""
    lab = labs("--approve", "browser")
    app = public_app(lab, lab.public)
    name, password = lab.people[dark]
    look = "dark" if dark else "light"
    with Chromium(dark) as chromium, Listener() as listener:
        def picture(page):
            chromium.shoot(report / f"{look}-{page}.png")

        flow = app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri, response_mode="form_post")
        chromium.open(flow["auth_uri"])
        chromium.see("Sign in")
        picture("1-sign-in")
        chromium.type("#i0116", name)
        chromium.click("form button")
        chromium.see("Enter password")
        chromium.type("#i0118", "not the password")
        chromium.click("form button")
        chromium.see("Enter password")
        assert "AADSTS50126" in chromium.run("return document.querySelector('[role=alert]').textContent")
        picture("2-password")
        chromium.type("#i0118", password)
        chromium.click("form button")
        chromium.see("Permissions requested")
        picture("3-consent")
        chromium.click("button[name=accept]")
        chromium.see("done")
        assert listener.methods == ["POST"]
        claims = tokens(app.acquire_token_by_auth_code_flow, flow, listener.answer)["id_token_claims"]
        assert claims["preferred_username"] == name, claims

        flow = app.initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri, prompt="select_account")
        chromium.open(flow["auth_uri"])
        chromium.see("Choose an account")
        picture("4-choose-an-account")
        chromium.click("button.tile")
        chromium.see("done")
        assert listener.methods == ["POST", "GET"]
        tokens(app.acquire_token_by_auth_code_flow, flow, listener.answer)

        device = app.initiate_device_flow(SCOPES)
        chromium.open(device["verification_uri"])
        chromium.see("Enter code")
        picture("5-device-code")
        chromium.type("#code", device["user_code"].lower())
        chromium.click("form button")
        chromium.see("Choose an account")
        chromium.click("button.tile")
        chromium.see("Permissions requested")           # a code may be somebody else's: it is asked each time
        chromium.click("button[name=accept]")
        chromium.see("Signed in")
        picture("6-signed-in")
        tokens(app.acquire_token_by_device_flow, device)

        chromium.open(flow["auth_uri"].replace(app.client_id, "0" * 8 + "-0000-4000-8000-" + "0" * 12))
        chromium.see("Sorry, but we’re having trouble signing you in")
        picture("7-error")
