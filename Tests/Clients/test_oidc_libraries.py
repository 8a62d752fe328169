"""Relying parties from PyPI that read discovery and the ID token themselves: idpyoidc and httpx-oauth."""
import asyncio

import pytest
from httpx_oauth.clients.openid import OpenID
from httpx_oauth.oauth2 import RefreshTokenNotSupportedError
from idpyoidc.client.rp_handler import RPHandler

from browser import Browser, Listener


@pytest.mark.parametrize("options", [(), ("--generic",)], ids=["as-entra", "generic"])
def test_httpx_oauth_signs_in_and_reads_who_it_is(labs, options):
    """It renews only where discovery lists the grant types, which Entra's document does not."""
    lab = labs("--approve", "browser", *options)
    client, secret = lab.confidential
    oauth = OpenID(client, secret, lab.issuer + "/.well-known/openid-configuration")

    async def sign_in(listener):
        address = await oauth.get_authorization_url(listener.uri, scope=["openid", "email", "offline_access"], state="s")
        Browser(*lab.people[0]).open(address, until=listener.uri)
        token = await oauth.get_access_token(listener.answer["code"], listener.uri)
        name, email = await oauth.get_id_email(token["access_token"])
        return token, name, email

    with Listener("/cb") as listener:
        token, name, email = asyncio.run(sign_in(listener))
    assert not token.is_expired()
    assert email == lab.people[0][0] and name
    if options:
        renewed = asyncio.run(oauth.refresh_token(token["refresh_token"]))
        assert renewed["access_token"] != token["access_token"]
    else:
        with pytest.raises(RefreshTokenNotSupportedError):
            asyncio.run(oauth.refresh_token(token["refresh_token"]))


@pytest.mark.parametrize("response_type", ["code", "code id_token"])
def test_idpyoidc_signs_in(labs, response_type, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)     # it writes its keys to static/jwks.json
    lab = labs("--approve", "browser")
    client, secret = lab.confidential
    lab.ssoterm("registration", "set", client, "enableIDTokenIssuance=yes")
    with Listener("/cb") as listener:
        handler = RPHandler(base_url=listener.uri, httpc_params={"verify": lab.certificates}, client_configs={"lab": {
            "issuer": lab.issuer, "client_id": client, "client_secret": secret, "redirect_uris": [listener.uri],
            "client_type": "oidc", "response_types_supported": [response_type], "scopes_supported": ["openid", "profile"],
            "services": {
                "discovery": {"class": "idpyoidc.client.oidc.provider_info_discovery.ProviderInfoDiscovery"},
                "authorization": {"class": "idpyoidc.client.oidc.authorization.Authorization"},
                "accesstoken": {"class": "idpyoidc.client.oidc.access_token.AccessToken"},
                "userinfo": {"class": "idpyoidc.client.oidc.userinfo.UserInfo"}}}})
        mode = None if response_type == "code" else {"response_mode": "form_post", "response_type": response_type}
        address = handler.begin("lab", req_args=mode)
        address = address["url"] if isinstance(address, dict) else address
        Browser(*lab.people[0]).open(address, until=listener.uri)
        found = handler.finalize(lab.issuer, listener.answer)
    assert "error" not in found, found
    assert found["userinfo"]["sub"] == found["id_token"]["sub"], found
