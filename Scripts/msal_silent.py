#!/usr/bin/env python3
"""One silent call with MSAL Python over a cache file: the reference of `make bench`.

usage: msal_silent.py CACHE CLIENT_ID TENANT USERNAME SCOPE...       exit 1 when the cache has no token for it

The discovery document MSAL asks for is answered from here, so that no network is in the figure.
"""
import json, sys

import msal


class Answer:
    def __init__(self, body):
        self.status_code, self.text, self.headers = 200, json.dumps(body), {}

    def raise_for_status(self):
        pass


class NoNetwork:
    """Answers what MSAL asks about an authority; anything else is a mistake in the bench."""

    def get(self, url, **_):
        authority, found, _ = url.partition("/v2.0/.well-known/openid-configuration")
        if not found:
            raise RuntimeError(f"unexpected request: {url}")
        return Answer({"issuer": authority + "/v2.0",
                       "authorization_endpoint": authority + "/oauth2/v2.0/authorize",
                       "token_endpoint": authority + "/oauth2/v2.0/token"})

    def post(self, url, **_):
        raise RuntimeError(f"a silent hit must not post to {url}")

    def close(self):
        pass


def main():
    path, client_id, tenant, username, *scopes = sys.argv[1:]
    cache = msal.SerializableTokenCache()
    with open(path) as file:
        cache.deserialize(file.read())
    client = msal.PublicClientApplication(
        client_id, authority=f"https://login.microsoftonline.com/{tenant}", token_cache=cache,
        instance_discovery=False, http_client=NoNetwork())
    accounts = client.get_accounts(username=username)
    result = accounts and client.acquire_token_silent(scopes, account=accounts[0])
    if not result or "access_token" not in result:
        sys.exit(f"no token for {username}: {result}")
    print(result["access_token"][:8])


main()
