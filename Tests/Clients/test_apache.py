"""Apache's mod_auth_openidc: reads discovery, the token response, and the ID token strictly, and signs out at the provider."""
import urllib.parse

import pytest

from apache import Apache
from browser import Browser


@pytest.mark.parametrize("mode, authentication", [
    ("query", "client_secret_basic"), ("form_post", "client_secret_post")])
def test_apache_lets_in_whom_the_provider_signed_in(lab, mode, authentication):
    with Apache(lab, mode, authentication) as apache:
        page = Browser(*lab.people[0]).open(apache.url + "/secure/")
        assert page.status_code == 200, apache.errors
        assert f"user={lab.people[0][0]} tid={lab.authority.rsplit('/', 1)[1]}" in page.text, page.text


def test_signing_out_of_apache_ends_the_session_of_the_browser(lab):
    with Apache(lab) as apache:
        browser = Browser(*lab.people[0])
        browser.open(apache.url + "/secure/")
        asked = len(browser.pages)
        back = urllib.parse.quote(apache.url + "/loggedout")
        page = browser.open(f"{apache.url}/secure/redirect_uri?logout={back}")
        assert "signed out" in page.text and page.url == apache.url + "/loggedout", page.url
        assert browser.open(apache.url + "/secure/").ok
        assert len(browser.pages) > asked + 2, "nobody was asked again"


@pytest.mark.parametrize("flaw, complaint", [
    ("signature", "signature"), ("issuer", "iss"), ("expired", "exp")])
def test_apache_refuses_a_token_that_is_wrong_on_purpose(lab, flaw, complaint):
    with Apache(lab) as apache:
        lab.ssoterm("fault", "add", "token", f"token:{flaw}", "--times", 1)
        page = Browser(*lab.people[0]).open(apache.url + "/secure/")
        assert "user=" not in page.text
        assert complaint in apache.errors, apache.errors
