"""Web frameworks and old libraries, as published by their authors."""
import json, os, subprocess, sys, types, urllib.parse

import pytest

from browser import Browser
from calls import public_app, sign_in


def answer(lab, url, redirect_uri):
    """The fields of the redirect that ends a sign-in at the page `url`."""
    browser = Browser(*lab.people[0])
    send = browser.session.get

    def get(address, **named):
        if address.startswith(redirect_uri):
            raise Arrived(address)
        return send(address, **named)

    browser.session.get = get
    try:
        browser.open(url)
    except Arrived as arrived:
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(str(arrived)).query))
    raise AssertionError(f"it did not come back: {browser.pages[-1].text}")


class Arrived(Exception):
    """Returns the redirect to an address where no program listens."""


@pytest.fixture
def web(lab):
    """A confidential app with an address of each framework."""
    client_id, secret = lab.confidential
    lab.ssoterm("registration", "set", client_id, "redirectURIs+=http://localhost/oauth2/callback",
                "redirectURIs+=http://localhost/hub/oauth_callback", "accessTokenVersion=2")
    return client_id, secret


# ADAL Python, which speaks version 1.

def test_adal_signs_in_by_device_code_and_refreshes(lab):
    import adal

    context = adal.AuthenticationContext(lab.authority, validate_authority=False)
    code = context.acquire_user_code("https://graph.windows.net/", lab.family[0])
    Browser(*lab.people[0]).open(code["verification_url"], user_code=code["user_code"])
    first = context.acquire_token_with_device_code("https://graph.windows.net/", code, lab.family[0])
    assert first["userId"] == lab.people[0][0] and first["resource"] == "https://graph.windows.net/", first
    other = context.acquire_token("https://management.core.windows.net/", lab.people[0][0], lab.family[0])
    assert other["resource"] == "https://management.core.windows.net/"


def test_adal_gets_a_token_of_a_service(lab):
    import adal

    context = adal.AuthenticationContext(lab.authority, validate_authority=False)
    assert context.acquire_token_with_client_credentials("https://graph.windows.net/", *lab.confidential)["accessToken"]


# fastapi-azure-auth: an API that accepts tokens of version 2.

def test_fastapi_accepts_the_token_that_is_for_it(lab, web):
    import fastapi, fastapi.testclient
    from fastapi_azure_auth import SingleTenantAzureAuthorizationCodeBearer

    api = web[0]
    scheme = SingleTenantAzureAuthorizationCodeBearer(
        app_client_id=api, tenant_id=lab.authority.rsplit("/", 1)[1], scopes={f"api://{api}/access_as_user": "use it"})
    scheme.openid_config.config_url = lab.authority + "/v2.0/.well-known/openid-configuration"
    program = fastapi.FastAPI()

    @program.get("/")
    async def show(user=fastapi.Security(scheme, scopes=["access_as_user"])):
        return {"name": user.preferred_username}

    client = fastapi.testclient.TestClient(program)

    def ask(scope):
        token = sign_in(public_app(lab), lab.people[0], [scope])["access_token"]
        return client.get("/", headers={"Authorization": "Bearer " + token})

    good = ask(f"api://{api}/access_as_user")
    assert good.status_code == 200 and good.json() == {"name": lab.people[0][0]}, good.text
    assert ask("https://graph.microsoft.com/User.Read").status_code in (401, 403)


# django-auth-adfs, in its usual setup.

DJANGO = """
import json, sys, urllib.parse
import django
server, tenant, client_id, secret, certificates = sys.argv[1:]
from django.conf import settings
settings.configure(
    SECRET_KEY="x", ALLOWED_HOSTS=["*"], ROOT_URLCONF="__main__", USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django_auth_adfs"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=["django_auth_adfs.backend.AdfsAuthCodeBackend"], LOGIN_REDIRECT_URL="/done",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    AUTH_ADFS={"TENANT_ID": tenant, "CLIENT_ID": client_id, "CLIENT_SECRET": secret, "AUDIENCE": client_id,
               "RELYING_PARTY_ID": client_id, "CA_BUNDLE": certificates, "VERSION": "%s",
               "CLAIM_MAPPING": {"first_name": "given_name"}, "USERNAME_CLAIM": "%s"})
django.setup()
import django_auth_adfs.config
django_auth_adfs.config.AZURE_AD_SERVER = server        # there is no setting for another cloud with a tenant
django_auth_adfs.config.settings.__init__()
from django.urls import include, path
urlpatterns = [path("oauth2/", include("django_auth_adfs.urls"))]
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from django.contrib.auth import get_user_model
client = Client(SERVER_NAME="localhost")
print(client.get("/oauth2/login").headers["Location"], flush=True)
answer = client.get("/oauth2/callback", dict(urllib.parse.parse_qsl(sys.stdin.readline().strip())))
print(json.dumps([answer.status_code, [user.username for user in get_user_model().objects.all()]]))
"""


@pytest.mark.parametrize("version, claim", [("v1.0", "upn"), ("v2.0", "preferred_username")])
def test_django_signs_a_person_in(lab, web, version, claim):
    lab.ssoterm("registration", "set", web[0], f"accessTokenVersion={version[1]}")
    program = subprocess.Popen(
        [sys.executable, "-c", DJANGO % (version, claim), lab.origin[8:], lab.authority.rsplit("/", 1)[1], *web,
         lab.certificates], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with program:
        url = program.stdout.readline().strip()
        assert url.startswith(lab.origin), url
        program.stdin.write(urllib.parse.urlencode(answer(lab, url, "http://localhost/oauth2/callback")) + "\n")
        program.stdin.flush()
        status, users = json.loads(program.stdout.readline() or "[0, []]")
    assert users == [lab.people[0][0]] and status == 302, (status, users)


# social-auth, version 1 and version 2.

@pytest.mark.parametrize("name", ["AzureADTenantOAuth2", "AzureADV2TenantOAuth2"])
def test_social_auth_signs_a_person_in(lab, web, name):
    from social_core.backends import azuread_tenant
    from social_core.strategy import BaseStrategy

    kind = getattr(azuread_tenant, name)
    settings = {"KEY": web[0], "SECRET": web[1], "TENANT_ID": lab.authority.rsplit("/", 1)[1],
                "AUTHORITY_HOST": lab.origin[8:]}

    class Strategy(BaseStrategy):
        def __init__(self):
            super().__init__(types.SimpleNamespace(nonce=types.SimpleNamespace(use=lambda *_: True, consume=lambda *_: True)))
            self.kept, self.sent = {}, {}

        def get_setting(self, word):
            known = [value for key, value in settings.items() if word.endswith("_" + key)]
            if not known or "LEGACY" in word:
                raise KeyError(word)
            return known[0]

        def request_data(self, merge=True):
            return self.sent

        def session_get(self, key, default=None):
            return self.kept.get(key, default)

        def session_set(self, key, value):
            self.kept[key] = value

        def session_pop(self, key):
            return self.kept.pop(key, None)

        def redirect(self, url):
            return url

        def build_absolute_uri(self, path=None):
            return path

        def authenticate(self, backend, *_, **named):
            return backend.get_user_details(named["response"])

    strategy = Strategy()
    backend = kind(strategy, redirect_uri="http://localhost/cb")
    backend.data = strategy.sent = answer(lab, backend.start(), "http://localhost/cb")
    person = backend.complete()
    assert lab.people[0][0] in (person["email"], person["username"]), person


# JupyterHub's authenticator for Azure AD.

JUPYTERHUB = """
import asyncio, sys, types
from oauthenticator.azuread import AzureAdOAuthenticator
origin, tenant, client_id, secret, code = sys.argv[1:]
hub = AzureAdOAuthenticator(graph_url=origin, tenant_id=tenant, client_id=client_id, client_secret=secret,
                            oauth_callback_url="http://localhost/hub/oauth_callback", allow_all=True)
if not code:
    print(hub.authorize_url)
else:
    handler = types.SimpleNamespace(get_argument=lambda name, default=None: code if name == "code" else default,
                                    get_redirect_uri=lambda: hub.oauth_callback_url, hub=None, get_cookie=lambda *_: None,
                                    get_state_cookie=lambda: None, _pkce_params=None, settings={})
    hub.build_access_tokens_request_params = lambda handler, data=None: {
        "grant_type": "authorization_code", "code": code, "redirect_uri": hub.oauth_callback_url,
        "client_id": client_id, "client_secret": secret, "data": data}
    print(asyncio.run(hub.authenticate(handler))["name"])
"""


def test_jupyterhub_signs_a_person_in(lab, web):
    def run(code=""):
        ended = subprocess.run(
            [sys.executable, "-c", JUPYTERHUB, lab.origin, lab.authority.rsplit("/", 1)[1], *web, code],
            env={**os.environ, "SSL_CERT_FILE": lab.certificates}, capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, ended.stderr[-1500:]
        return ended.stdout.strip()

    callback = "http://localhost/hub/oauth_callback"
    query = {"client_id": web[0], "redirect_uri": callback, "response_type": "code", "state": "s"}
    code = answer(lab, run() + "?" + urllib.parse.urlencode(query), callback)["code"]
    assert run(code).lower() == "ada lovelace"
