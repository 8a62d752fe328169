"""MSAL Python with Microsoft's own runtime, as a program that uses the broker. Prints one line of JSON per step.

usage: broker_program.py [--client ID] interactive|signed-in|accounts|silent|forced|claims|fault:N...     TENANT: the tenant's ID

`fault:N` makes the broker's next silent call fail with status N.
This program provides the authority's metadata, so that everything else comes from the broker.
"""
import json, os, subprocess, sys

import msal

words = sys.argv[1:]
client = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
if words[:1] == ["--client"]:
    client, words = words[1], words[2:]
authority = "https://login.microsoftonline.com/" + os.environ["TENANT"]


class Answer:
    status_code, headers = 200, {}

    def __init__(self, text):
        self.text = text

    def raise_for_status(self):
        pass


class Metadata:
    def get(self, url, **_):
        base = authority + "/oauth2/v2.0/"
        return Answer(json.dumps({"issuer": authority + "/v2.0", "authorization_endpoint": base + "authorize",
                                  "token_endpoint": base + "token"}))

    def post(self, url, **_):
        return Answer('{"error": "unexpected request"}')

    def close(self):
        pass


app = msal.PublicClientApplication(client, authority=authority, enable_broker_on_linux=True, instance_discovery=False,
                                   http_client=Metadata())


def show(step, result):
    result = result or {"error": "no result"}
    kept = {name: result[name] for name in ("error", "error_description", "token_source") if name in result}
    claims = result.get("id_token_claims") or {}
    print(json.dumps({"step": step, "who": claims.get("preferred_username"), "token": result.get("access_token"), **kept}),
          flush=True)


for step in words:
    if step == "interactive":
        show(step, app.acquire_token_interactive(["User.Read"], parent_window_handle=app.CONSOLE_WINDOW_HANDLE,
                                                 prompt="select_account"))
        continue
    if step == "signed-in":              # no prompt: MSAL asks the broker silently first
        show(step, app.acquire_token_interactive(["User.Read"], parent_window_handle=app.CONSOLE_WINDOW_HANDLE))
        continue
    if step.startswith("fault:"):
        subprocess.run([os.environ["SSOTERM"], "fault", "add", "broker:acquireTokenSilently", step[6:], "--times", "1"],
                       check=True, stdout=subprocess.DEVNULL)
        continue
    accounts = app.get_accounts()
    if step == "accounts":
        print(json.dumps({"step": step, "accounts": [account["username"] for account in accounts]}), flush=True)
    else:
        # The runtime has a cache too, which a claims challenge goes past.
        challenge = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}' if step == "claims" else None
        show(step, app.acquire_token_silent_with_error(["User.Read"], account=accounts[0], claims_challenge=challenge,
                                                       force_refresh=step == "forced"))
