"""MSAL Python, authorization code with PKCE, and a browser that has no JavaScript."""
import threading, webbrowser

import pytest

from browser import Browser, Listener
from calls import SCOPES, code_answer, public_app, refusal, tokens


@pytest.mark.parametrize("mode, method", [("query", "GET"), ("form_post", "POST")])
def test_a_code_comes_the_way_it_was_asked_for_and_is_good_once(lab, mode, method):
    app = public_app(lab)
    flow, answer, came = code_answer(app, Browser(*lab.people[0]), response_mode=mode)
    assert came == method and answer["state"] == flow["state"], answer
    claims = tokens(app.acquire_token_by_auth_code_flow, flow, answer)["id_token_claims"]
    assert claims["preferred_username"] == lab.people[0][0], claims
    assert refusal(app.acquire_token_by_auth_code_flow, dict(flow), answer) == "invalid_grant"


def test_a_wrong_verifier_is_refused(lab):
    app = public_app(lab)
    flow, answer, _ = code_answer(app, Browser(*lab.people[0]))
    flow["code_verifier"] = "x" * 43
    assert refusal(app.acquire_token_by_auth_code_flow, flow, answer) == "invalid_grant"


class Starter(webbrowser.BaseBrowser):
    """What MSAL starts as the person's browser."""

    def __init__(self, person):
        super().__init__("lab")
        self.browser = Browser(*person)

    def open(self, url, new=0, autoraise=True):
        threading.Thread(target=self.browser.open, args=[url], daemon=True).start()
        return True


@pytest.mark.parametrize("named", [{}, {"prompt": "select_account"}, {"max_age": 3600}], ids=["plain", "picker", "age"])
def test_msal_listens_itself(lab, named, monkeypatch):
    starter = Starter(lab.people[0])
    monkeypatch.setattr(webbrowser, "open", starter.open)
    app = public_app(lab)
    answer = tokens(app.acquire_token_interactive, SCOPES, login_hint=lab.people[0][0], timeout=90, **named)
    assert ("auth_time" in answer["id_token_claims"]) == ("max_age" in named), answer


def test_the_second_app_asks_for_no_password(lab):
    browser = Browser(*lab.people[0])
    code_answer(public_app(lab), browser)
    browser.password = None
    _, answer, _ = code_answer(public_app(lab, lab.public), browser)
    assert "code" in answer, answer


def test_the_picker_is_shown_in_a_session_if_it_is_asked_for(lab):
    browser = Browser(*lab.people[0])
    code_answer(public_app(lab), browser)
    browser.password, browser.pages = None, []
    _, answer, _ = code_answer(public_app(lab), browser, prompt="select_account")
    assert "code" in answer and "<h1>Choose an account</h1>" in browser.pages[0].text, answer


def test_without_a_session_prompt_none_is_told_to_sign_in(lab):
    _, answer, _ = code_answer(public_app(lab), Browser(), prompt="none")
    assert answer["error"] == "login_required", answer


def test_an_address_that_is_not_registered_gets_nothing(lab):
    with Listener("/not/registered") as listener:
        flow = public_app(lab).initiate_auth_code_flow(SCOPES, redirect_uri=listener.uri)
        page = Browser(*lab.people[0]).open(flow["auth_uri"], until=listener.uri)
        assert page.status_code == 400 and "AADSTS50011" in page.text, page.text
        assert listener.answers == []
