"""The server is killed or restarted while programs hold tokens."""
import signal, threading

import msal, requests

from calls import SCOPES, public_app, sign_in, tokens


class Rotator(threading.Thread):
    """Refreshes in a loop and keeps each refresh token that it received."""

    def __init__(self, lab, secret):
        super().__init__(daemon=True)
        self.lab, self.told = lab, [secret]

    def redeem(self, secret):
        return requests.post(self.lab.authority + "/oauth2/v2.0/token", timeout=60, data={
            "grant_type": "refresh_token", "client_id": self.lab.family[0], "refresh_token": secret,
            "scope": "offline_access " + SCOPES[0]})

    def run(self):
        try:
            while True:
                self.told.append(self.redeem(self.told[-1]).json()["refresh_token"])
        except requests.RequestException:
            pass                             # the server is gone


def test_no_acknowledged_refresh_token_is_lost_by_kill_9(labs):
    lab = labs("--approve", "browser")
    secret = sign_in(public_app(lab), lab.people[0])["refresh_token"]
    for _ in range(3):
        rotators = [Rotator(lab, secret) for _ in range(8)]
        for rotator in rotators:
            rotator.start()
        while min(len(rotator.told) for rotator in rotators) < 5:
            rotators[0].join(.01)
        lab.end(signal.SIGKILL)
        for rotator in rotators:
            rotator.join()
        lab.start()
        for rotator in rotators:
            answer = rotator.redeem(rotator.told[-1])
            assert answer.status_code == 200, f"token {len(rotator.told)} of a rotation: {answer.text}"
        secret = answer.json()["refresh_token"]


def test_a_program_keeps_its_session_over_a_restart(labs):
    lab = labs("--approve", "browser")
    app = public_app(lab, token_cache=msal.SerializableTokenCache())
    before = sign_in(app, lab.people[0])
    assert lab.end() == 0
    lab.start()
    [account] = app.get_accounts()
    after = tokens(app.acquire_token_silent, SCOPES, account=account, force_refresh=True)
    assert after["access_token"] != before["access_token"]
