#!/usr/bin/env python3
"""Runs MSAL Python on a cache file, as the reference for `make bench`.

usage: msal_silent.py [--in-process] CACHE CLIENT_ID TENANT USERNAME SCOPE...

Makes one silent call, and exits with 1 if the cache has no token for it. With --in-process, prints a JSON object with the
milliseconds that a silent call, the list of accounts, and saving one more token take once the cache is loaded.

This script provides the discovery document that MSAL requests, so that no network access is measured.
"""
import json, statistics, sys, tempfile, time

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


def milliseconds(runs, call):
    """The median."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def in_process(client, cache, account, scopes):
    token = cache.find(cache.CredentialType.ACCESS_TOKEN)[0]

    def save():
        """As in MSAL's documentation, the entire cache is written after each change."""
        cache.modify(cache.CredentialType.ACCESS_TOKEN, token, {"secret": "changed"})
        with tempfile.NamedTemporaryFile("w", dir=".") as file:
            file.write(cache.serialize())
            file.flush()

    return {"silent": milliseconds(50, lambda: client.acquire_token_silent(scopes, account=account)),
            "accounts": milliseconds(5, client.get_accounts), "save": milliseconds(1, save)}


def main():
    arguments = sys.argv[1:]
    stays = arguments[0] == "--in-process"
    path, client_id, tenant, username, *scopes = arguments[stays:]
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
    print(json.dumps(in_process(client, cache, accounts[0], scopes)) if stays else result["access_token"][:8])


main()
