"""Two servers on one lab in PostgreSQL, behind HAProxy: each server redeems what the other issues."""
import os, re, signal, threading, time

import pytest, requests

from calls import SCOPES, approve, once, public_app, refusal, sign_in, tokens
from conftest import trust
from lab import PROGRAM
from screen import Screen
from team import TeamLab, missing

pytestmark = pytest.mark.skipif(bool(missing) and "CI" not in os.environ, reason=f"not installed: {missing}")


@pytest.fixture
def team(tmp_path):
    # The database's user must reach its folder below.
    folder = tmp_path
    while folder != folder.parent and folder.owner() == tmp_path.owner() and folder.name != "tmp":
        folder.chmod(folder.stat().st_mode | 0o711)
        folder = folder.parent
    lab = TeamLab(tmp_path, "--approve", "browser")
    trust(lab)
    yield lab
    lab.end()


class EachRequestAnew:
    """A connection for each request, so that the next one goes to the other server."""

    get, post = staticmethod(requests.get), staticmethod(requests.post)

    def close(self):
        pass


def redeem(lab, secret):
    return requests.post(lab.authority + "/oauth2/v2.0/token", timeout=60, data={
        "grant_type": "refresh_token", "client_id": lab.family[0], "refresh_token": secret,
        "scope": "offline_access " + SCOPES[0]})


def test_what_one_server_issues_the_other_redeems(team):
    keys = {requests.get(team.authority + "/discovery/v2.0/keys").text for _ in range(4)}
    assert len(keys) == 1, "both servers publish the same keys"
    app = public_app(team, http_client=EachRequestAnew())
    flow = app.initiate_device_flow(SCOPES)
    assert refusal(app.acquire_token_by_device_flow, flow, exit_condition=once) == "authorization_pending"
    approve(flow, team.people[0])
    team.ssoterm("clock", "+5s")
    tokens(app.acquire_token_by_device_flow, flow)
    [account] = app.get_accounts()
    for _ in range(4):
        tokens(app.acquire_token_silent, SCOPES, account=account, force_refresh=True)


class Rotator(threading.Thread):
    """Refreshes until it is stopped, and keeps each refresh token that it was told of."""

    def __init__(self, lab, secret):
        super().__init__(daemon=True)
        self.lab, self.told, self.stopped = lab, [secret], False

    def run(self):
        while not self.stopped:
            try:
                answer = redeem(self.lab, self.told[-1])
            except requests.RequestException:
                continue                     # a server is gone; the balancer has another
            if answer.status_code == 200:
                self.told.append(answer.json()["refresh_token"])


def test_nothing_acknowledged_is_lost_with_a_server_or_the_primary(team):
    secret = sign_in(public_app(team), team.people[0])["refresh_token"]
    rotators = [Rotator(team, secret) for _ in range(4)]
    for rotator in rotators:
        rotator.start()

    def all_go_on(count=4):
        before = [len(rotator.told) for rotator in rotators]
        end = time.monotonic() + 60
        while any(len(rotator.told) < had + count for rotator, had in zip(rotators, before)):
            assert time.monotonic() < end, f"no answers: {before}, {[len(rotator.told) for rotator in rotators]}"
            time.sleep(.05)

    all_go_on()
    intents = []

    def command():
        team.ssoterm("clock", "+1s")
        intents.append(len(intents) + 1)

    command()
    team.servers[0].send_signal(signal.SIGKILL)
    all_go_on()
    team.start_server(0)
    command()
    team.fail_over()
    all_go_on()
    command()
    for rotator in rotators:
        rotator.stopped = True
    for rotator in rotators:
        rotator.join(60)
        for told in rotator.told:
            answer = redeem(team, told)
            assert answer.status_code == 200, f"token of a rotation: {answer.text}"
    clocks = [trace for trace in team.rows("trace", "list", "--limit", "1000") if "clock" in str(trace)]
    assert len(clocks) >= len(intents), clocks


def test_eight_programs_write_at_once_and_all_screens_show_the_same(team):
    """Four terminals and four programs without one; nobody touches a terminal after its own changes."""
    before = len(team.rows("trace", "list", "--limit", "100"))

    def write():
        for _ in range(3):
            team.ssoterm("clock", "+1m")

    screens = [Screen([PROGRAM], {**team.environment, "SSOTERM_USER": f"tester{number}"}, rows=72, columns=120)
               for number in range(4)]
    writers = [threading.Thread(target=write) for _ in range(4)]
    try:
        for screen in screens:
            screen.wait_for("? help")
            screen.press("4")
            screen.wait_for("[4 Trace]")
        for writer in writers:
            writer.start()
        for screen in screens:
            screen.press("ttt")
        for writer in writers:
            writer.join()
        for screen in screens:
            screen.wait_for(f"Traces {before + 24} ")
        traces = team.rows("trace", "list", "--limit", "100")[:24]
        assert [trace["id"] for trace in traces] == list(range(before + 24, before, -1))
        told = [trace["summary"] for trace in traces]
        for screen in screens:
            shown = re.findall(r"✓ (Clock [+-].*)", screen.text)
            # The last is what the person is told of the own change.
            assert shown[:24] == told, screen.text
    finally:
        for screen in screens:
            screen.end()
