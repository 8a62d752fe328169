"""The test kit: the pytest plugin of the wheel, the answers to the next sign-ins, reset, and the control interface."""
import os, secrets, subprocess, urllib.parse

import pytest, requests

from lab import GRAPH, PROGRAM

ADA, GRACE = "ada@contoso.com", "grace@contoso.com"
AUTO = pytest.mark.ssoterm(approve="auto:" + ADA)


def sign_in(ssoterm, **parameters):
    """The parameters that come back to the program, and the page that stays open in the browser."""
    answer = requests.get(ssoterm.authority + "/oauth2/v2.0/authorize", allow_redirects=False, params={
        "client_id": ssoterm.variables["SSOTERM_CLIENT_ID"], "redirect_uri": "http://localhost", "response_type": "code",
        "scope": "openid profile " + GRAPH + "User.Read", **parameters})
    query = urllib.parse.urlsplit(answer.headers.get("Location", "")).query
    return dict(urllib.parse.parse_qsl(query)), answer.text


@AUTO
def test_a_wrong_password_is_typed_once(ssoterm):
    ssoterm.next("wrong-password")
    came, page = sign_in(ssoterm)
    assert not came and "AADSTS50126" in page, (came, page)
    came, _ = sign_in(ssoterm)
    assert "code" in came, came


@AUTO
def test_a_declined_consent_and_a_cancelled_page_come_back_to_the_program(ssoterm):
    ssoterm.next("cancel", "decline")
    assert sign_in(ssoterm)[0]["error"] == "access_denied"
    came, _ = sign_in(ssoterm, prompt="consent")
    assert came["error"] == "access_denied" and "AADSTS65004" in came["error_description"], came
    assert ssoterm.run("serve", "next")["answers"] == []


@AUTO
def test_the_true_error_of_a_sign_in_is_not_lost(ssoterm):
    ssoterm.set_person(ADA, isDisabled="true")
    came, page = sign_in(ssoterm)
    assert not came and "AADSTS50057" in page, (came, page)


@AUTO
def test_reset_goes_back_to_the_start_and_the_server_stays(ssoterm):
    ssoterm.next("cancel")
    ssoterm.set_person(ADA, isDisabled="true")
    ssoterm.clock("+2d")
    ssoterm.reset()
    assert ssoterm.run("serve", "next")["answers"] == []
    came, _ = sign_in(ssoterm)
    assert "code" in came, came


@pytest.fixture
def control(labs, monkeypatch):
    monkeypatch.setenv("SSOTERM_CONTROL_TOKEN", secrets.token_hex(16))
    lab = labs("--control", "--scenario", "contoso-suite", "--approve", "auto:" + ADA)
    monkeypatch.setenv("SSOTERM_CONTROL_URL", lab.origin)
    monkeypatch.setenv("SSOTERM_CA", lab.certificates)
    return lab


def test_a_server_elsewhere_is_controlled_by_the_same_fixture(control, request):
    ssoterm = request.getfixturevalue("ssoterm")
    ssoterm.next("as:" + GRACE)
    assert "code" in sign_in(ssoterm)[0]
    assert GRACE in str(ssoterm.run("trace", "show", str(ssoterm.traces()[0]["id"])))
    ssoterm.set_person(ADA, isDisabled="true")
    ssoterm.reset()
    assert "code" in sign_in(ssoterm)[0]


def test_a_reset_by_the_control_interface_brings_back_what_the_server_added(labs, monkeypatch, request):
    monkeypatch.setenv("SSOTERM_CONTROL_TOKEN", secrets.token_hex(16))
    lab = labs("--control", "--scenario", "two-vendors", "--people", "real-clients", "--fault", "token=503", "--approve",
               "auto:" + ADA)
    monkeypatch.setenv("SSOTERM_CONTROL_URL", lab.origin)
    monkeypatch.setenv("SSOTERM_CA", lab.certificates)
    ssoterm = request.getfixturevalue("ssoterm")                       # which resets the lab
    assert ssoterm.variables["SSOTERM_CONFIDENTIAL_SECRET"] == lab.confidential[1]
    ssoterm.run("fault", "clear")
    ssoterm.run("tenant", "set", "Fabrikam", "displayName=Other")
    ssoterm.reset()
    assert "503" in lab.ssoterm("fault", "list") and "Fabrikam" in lab.ssoterm("tenant", "list")


@pytest.mark.parametrize("headers, body, status", [
    ({"Authorization": "Bearer wrong"}, {"command": ["clock", "+1h"]}, 401),
    ({}, {"command": ["clock", "+1h"]}, 401),
    ({"Origin": "https://example.com"}, {"command": ["clock", "+1h"]}, 403),
    ({}, {"command": ["export", "/tmp/x"]}, 403),
    ({}, {"command": ["clock", "--store", "/tmp/x"]}, 403),
    ({}, {"command": ["lab", "reset", "--scenario", "/etc/passwd"]}, 403),
    ({}, {"command": "clock"}, 400),
    ({}, {}, 400),
], ids=["token", "no token", "origin", "command", "store", "file", "words", "empty"])
def test_the_control_interface_refuses(control, headers, body, status):
    own = {} if status == 401 else {"Authorization": "Bearer " + os.environ["SSOTERM_CONTROL_TOKEN"]}
    answer = requests.post(control.origin + "/lab/control", json=body, headers={**own, **headers})
    assert answer.status_code == status, answer.text


def test_there_is_no_control_interface_unless_it_is_asked_for(lab):
    answer = requests.post(lab.origin + "/lab/control", json={"command": ["clock", "+1h"]})
    assert answer.status_code == 404, answer.text


def test_control_needs_a_token(tmp_path):
    done = subprocess.run([PROGRAM, "serve", "--control", "--port", "0"], capture_output=True, text=True,
                          env={**os.environ, "SSOTERM_STORE": str(tmp_path / "s.sqlite"), "SSOTERM_CONTROL_TOKEN": "short"})
    assert done.returncode == 2 and "SSOTERM_CONTROL_TOKEN" in done.stderr, done
