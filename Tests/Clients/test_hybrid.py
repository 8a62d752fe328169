"""Tokens from the authorization endpoint: Flask's hybrid flow in chromium, and mod_auth_openidc in every response type."""
import threading

import pytest
from flask import Flask, session
from flask_pyoidc import OIDCAuthentication
from flask_pyoidc.provider_configuration import ClientMetadata, ProviderConfiguration
from werkzeug.serving import make_server

from apache import Apache
from browser import Browser
from chromium import Chromium


class Web:
    """A Flask application that asks for `code id_token`: the answer comes in the fragment, and both hashes are checked."""

    def __init__(self, lab, response_type):
        app = Flask("lab")
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        self.url = f"http://localhost:{self.server.server_port}"
        app.config.update(SECRET_KEY="of a test", OIDC_REDIRECT_URI=self.url + "/redirect_uri")
        client, secret = lab.confidential
        provider = ProviderConfiguration(
            issuer=lab.issuer, client_metadata=ClientMetadata(client, secret),
            auth_request_params={"scope": ["openid", "profile", "User.Read"], "response_type": response_type})
        auth = OIDCAuthentication({"lab": provider}, app)

        @app.route("/")
        @auth.oidc_auth("lab")
        def who():
            return f"<h1>{session['id_token']['preferred_username']}</h1>"

        @auth.error_view
        def failed(error=None, error_description=None):
            return f"<h1>{error}</h1><p>{error_description}</p>"

        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()


def allow(lab, **fields):
    lab.ssoterm("registration", "set", lab.confidential[0], "redirectURIs+=http://localhost/redirect_uri",
                *[f"{name}={value}" for name, value in fields.items()])


@pytest.mark.parametrize("response_type", ["code id_token", "id_token token"])
def test_flask_signs_a_person_in_by_the_fragment(labs, response_type):
    lab = labs("--approve", "browser")
    allow(lab, enableIDTokenIssuance="yes", enableAccessTokenIssuance="yes")
    with Chromium() as chromium, Web(lab, response_type) as web:
        chromium.open(web.url + "/")
        chromium.sign_in(*lab.people[0])
        chromium.see(lab.people[0][0])


def test_what_the_registration_does_not_allow_is_refused(labs):
    lab = labs("--approve", "browser")
    allow(lab)
    with Chromium() as chromium, Web(lab, "code id_token") as web:
        chromium.open(web.url + "/")
        chromium.see("unsupported_response_type")
        assert "AADSTS700054" in chromium.run("return document.querySelector('p').textContent")


@pytest.mark.parametrize("response_type", ["id_token", "code id_token", "id_token token"])
def test_apache_signs_a_person_in_by_a_form(labs, response_type):
    lab = labs("--approve", "browser")
    allow(lab, enableIDTokenIssuance="yes", enableAccessTokenIssuance="yes")
    with Apache(lab, "form_post", response_type=response_type) as apache:
        page = Browser(*lab.people[0]).open(apache.url + "/secure/")
        assert page.status_code == 200 and f"user={lab.people[0][0]} " in page.text, apache.errors
