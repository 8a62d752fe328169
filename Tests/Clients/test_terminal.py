"""The user answers in the terminal while MSAL Python and the browser wait."""
import socket, threading, webbrowser

import pytest, requests

from browser import Browser
from calls import SCOPES, public_app, tokens
from lab import PROGRAM
from tmux import Tmux


@pytest.fixture
def terminal(labs):
    """Runs `ssoterm serve` on a terminal; the lab is the one that it serves."""
    lab = labs()
    lab.end()
    opened = []

    def serve(*options):
        opened.append(Tmux([PROGRAM, "serve", "--port", lab.port, *options], lab.environment))
        opened[-1].see(f"● on, port {lab.port}|serves the store")
        return lab, opened[-1]

    yield serve
    for tmux in opened:
        tmux.end()


# The number that browser and terminal both show.
NUMBER = r"shows (?:the number )?(\d\d)\b"


def type_code(flow):
    """Somebody types the code into a browser, which then waits for the terminal."""
    browser = Browser()
    threading.Thread(target=browser.open, args=[flow["verification_uri"]],
                     kwargs={"user_code": flow["user_code"]}, daemon=True).start()
    assert browser.waiting.wait(60)
    return browser


def test_the_picker_answers_an_interactive_call(terminal, monkeypatch):
    lab, tmux = terminal()
    browser = Browser()                      # nobody types anything into it
    threads = []

    def start(url, *_):
        threads.append(threading.Thread(target=browser.open, args=[url], daemon=True))
        threads[-1].start()
        return True

    def answer():
        number = tmux.see(NUMBER)[1]
        assert browser.waiting.wait(60)
        page = browser.session.get(browser.waits_at, timeout=60).text
        assert f'<p class="number">{number}</p>' in page, page
        tmux.see(rf"client +{lab.family[0]}")
        tmux.see(r"redirect +http://localhost:\d+ ")
        tmux.see(rf"asking +(\S+ )*{SCOPES[0]}")
        tmux.press(tmux.see(r"(\d)  GH +Grace Hopper")[1], "Enter")
        tmux.see("Password")
        tmux.press(lab.people[1][1], "Enter")

    monkeypatch.setattr(webbrowser, "open", start)
    person = threading.Thread(target=answer)
    person.start()
    claims = tokens(public_app(lab).acquire_token_interactive, SCOPES, timeout=120)["id_token_claims"]
    person.join()
    assert claims["preferred_username"] == lab.people[1][0], claims
    tmux.see(r"✓ +Azure CLI continues in the browser as grace@contoso\.com")
    tmux.see(r"/oauth2/v2\.0/token \(Azure CLI\) 200")
    assert lab.people[1][1] not in tmux.screen


def approve_device(tmux, password, client="Azure CLI"):
    """Ada is chosen, and says that the device is meant to sign in."""
    tmux.press(tmux.see(r"(\d)  AL +Ada Lovelace")[1], "Enter")
    tmux.see("Password")
    tmux.press(password, "Enter")
    tmux.see(rf"Are you trying to sign in to {client}")
    tmux.press("Enter")
    tmux.see(f"✓ +{client} is signed in")


def test_a_device_code_is_approved_in_the_terminal(terminal):
    lab, tmux = terminal()
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    browser = type_code(flow)
    number = tmux.see(NUMBER)[1]
    assert f'<p class="number">{number}</p>' in browser.session.get(browser.waits_at, timeout=60).text
    tmux.see(flow["user_code"])
    approve_device(tmux, lab.people[0][1])
    claims = tokens(app.acquire_token_by_device_flow, flow)["id_token_claims"]
    assert claims["preferred_username"] == lab.people[0][0], claims
    assert "ESTSAUTH" not in browser.session.cookies, "who waits is not signed in by that"


def test_a_device_code_is_answered_before_anybody_typed_it(terminal):
    lab, tmux = terminal()
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    tmux.see("Pending sign-ins 1")
    tmux.see(f"Code {flow['user_code']}. Enter answers it here")
    assert "Choose an account" not in tmux.screen, "it comes up where the person types the code"
    tmux.press("Enter")
    approve_device(tmux, lab.people[0][1])
    claims = tokens(app.acquire_token_by_device_flow, flow)["id_token_claims"]
    assert claims["preferred_username"] == lab.people[0][0], claims
    tmux.see("Pending sign-ins 0")


def test_without_screens_a_device_code_is_answered_after_enter(terminal):
    lab, tmux = terminal("--plain")
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    tmux.see(rf"Azure CLI shows the device code {flow['user_code']}; Enter answers it here")
    tmux.press("Enter")
    tmux.press(tmux.see(r"(\d)\. Ada Lovelace")[1], "Enter")
    tmux.see("Password")
    tmux.press(lab.people[0][1], "Enter")
    tmux.see(r"Are you trying to sign in to Azure CLI[\s\S]*Accept\?")
    tmux.press("y", "Enter")
    tokens(app.acquire_token_by_device_flow, flow)


def test_who_asked_for_a_device_code_gets_no_session(terminal):
    """The program knows the code, and may be a stranger's."""
    lab, tmux = terminal()
    flow = public_app(lab).initiate_device_flow(SCOPES)
    type_code(flow)
    stranger = requests.Session()

    def look():
        return stranger.get(f"{lab.origin}/lab/waiting?id={flow['user_code']}", allow_redirects=False, timeout=60)

    assert look().status_code == 404
    approve_device(tmux, lab.people[0][1])
    assert look().status_code == 404 and not stranger.cookies


def test_a_cancelled_picker_tells_the_program(terminal):
    lab, tmux = terminal()
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    type_code(flow)
    tmux.see("Choose an account")
    tmux.press("X")
    tmux.see("Azure CLI was not signed in")
    assert app.acquire_token_by_device_flow(flow)["error"] == "authorization_declined"


def test_sign_ins_are_put_off_and_answered_in_any_order(terminal):
    lab, tmux = terminal()
    apps = [public_app(lab), public_app(lab, lab.family[1])]
    flows = [app.initiate_device_flow(SCOPES) for app in apps]
    type_code(flows[0])
    tmux.see("Azure CLI asks")
    type_code(flows[1])
    tmux.see("Azure PowerShell waits for a sign-in: ! shows it")
    tmux.press("!")
    tmux.see("Pending sign-ins 2")
    tmux.press("j", "Enter")
    tmux.see("Azure PowerShell asks")
    approve_device(tmux, lab.people[0][1], "Azure PowerShell")
    tokens(apps[1].acquire_token_by_device_flow, flows[1])
    tmux.see("Pending sign-ins 1")
    tmux.press("Enter")
    approve_device(tmux, lab.people[0][1])
    tokens(apps[0].acquire_token_by_device_flow, flows[0])


def test_without_screens_the_person_says_which_of_several_comes_first(terminal):
    lab, tmux = terminal()
    apps = [public_app(lab), public_app(lab, lab.family[1])]
    flows = [app.initiate_device_flow(SCOPES) for app in apps]
    for flow in flows:
        type_code(flow)
    tmux.see("waits for a sign-in: ! shows it")
    tmux.end()
    _, plain = terminal("--plain")
    plain.see("2 sign-ins wait:")
    plain.see(r"2\. Azure PowerShell, number \d\d")
    plain.press("2", "Enter")
    plain.see("Azure PowerShell waits for a sign-in")
    plain.press("0", "Enter")
    plain.see("Azure PowerShell was not signed in")
    assert apps[1].acquire_token_by_device_flow(flows[1])["error"] == "authorization_declined"
    plain.see("Azure CLI waits for a sign-in")


def test_a_sign_in_whose_program_has_ended_is_marked_and_does_not_come_up_again(terminal):
    lab, tmux = terminal()
    program = socket.create_server(("127.0.0.1", 0))
    flow = public_app(lab).initiate_auth_code_flow(SCOPES, redirect_uri=f"http://localhost:{program.getsockname()[1]}")
    browser = Browser()
    threading.Thread(target=browser.open, args=[flow["auth_uri"]], daemon=True).start()
    tmux.see("Azure CLI asks")
    tmux.press("!")
    tmux.see(r"Azure CLI .*postponed")
    program.close()
    tmux.press("R")
    tmux.see("✗ ended")
    tmux.see("its program has ended")
    tmux.end()
    _, again = terminal()
    again.see("✗ ended")
    assert "Choose an account" not in again.screen
    again.press("X")
    again.see("Pending sign-ins 0")


def test_the_first_start_says_that_a_store_was_made(tmp_path):
    """The screens would hide a line on stderr until they end."""
    tmux = Tmux([PROGRAM, "--store", tmp_path / "new.sqlite"], {}, columns=200)
    try:
        tmux.see(r"There was no store; made\s+\S+new\.sqlite\s+with\s+the\s+scenario\s+contoso-suite\.")
    finally:
        tmux.end()


def test_the_line_for_another_shell_names_the_store(terminal):
    """That shell may have no SSOTERM_STORE."""
    _, tmux = terminal()
    tmux.see(r"serve env\s+--sto")
    tmux.end()
    _, plain = terminal("--plain")
    plain.see(r"serve env\s+--store\s+/")


def test_q_ends_the_server_and_gives_the_terminal_back(terminal):
    lab, tmux = terminal()
    assert tmux.state("alternate_on") == "1"
    tmux.press("q")
    tmux.see("ended with 0")
    assert tmux.state("alternate_on") == "0"
    lab.start()                              # the port is free again


def test_in_plain_mode_the_questions_are_lines(terminal):
    lab, tmux = terminal("--plain")
    app = public_app(lab)
    flow = app.initiate_device_flow(SCOPES)
    type_code(flow)
    tmux.see(NUMBER)
    tmux.press(tmux.see(r"(\d)\. Ada Lovelace")[1], "Enter")
    tmux.see("Password")
    tmux.press(lab.people[0][1], "Enter")
    tmux.see(r"Are you trying to sign in to Azure CLI[\s\S]*Accept\?")
    tmux.press("y", "Enter")
    claims = tokens(app.acquire_token_by_device_flow, flow)["id_token_claims"]
    assert claims["preferred_username"] == lab.people[0][0], claims
    assert lab.people[0][1] not in tmux.screen
    tmux.press("C-c")
    tmux.see("ended with 0")


def test_in_plain_mode_a_sign_in_is_put_off_and_asked_again(terminal):
    lab, tmux = terminal("--plain")
    flow = public_app(lab).initiate_device_flow(SCOPES)
    type_code(flow)
    tmux.see("Number, or text to filter:")
    tmux.press("!", "Enter")
    tmux.see(r"1 sign-in postponed; Enter lists it")
    tmux.press("Enter")
    tmux.press(tmux.see(r"postponed; Enter lists it[\s\S]*(\d)\. Ada Lovelace")[1], "Enter")
    tmux.see("Password")


def test_a_plain_session_raises_a_sign_in_while_it_waits_for_a_line(labs):
    lab = labs()
    lab.end()
    tmux = Tmux([PROGRAM, "tui", "provider", "--plain"], lab.environment)
    try:
        tmux.see("a key or a command.s name runs the command")
        for line in ("port",), (f"={lab.port}",), ("Ent", "er"), ("s",):   # tmux would press Enter for its name
            tmux.press(*line, "Enter")
        tmux.see(r"✓ https://localhost:\d+ answers")
        flow = public_app(lab).initiate_device_flow(SCOPES)
        type_code(flow)
        question = r"Azure CLI waits for a sign-in\. Its page shows the number \d\d\. Enter answers it, ! puts it off:"
        tmux.see(question)
        tmux.press("apps", "Enter")              # was typed for something else
        tmux.see(question + r"[\s\S]*" + question)
        tmux.press("!", "Enter")
        tmux.see("Postponed the sign-in for Azure CLI")
        tmux.press("open", "Enter")
        tmux.press(tmux.see(r"(\d)\. Ada Lovelace")[1], "Enter")
        tmux.see("Password")
        tmux.press(lab.people[0][1], "Enter")
        tmux.see("Accept")
        tmux.press("y", "Enter")
        tmux.see("✓ Azure CLI is signed in")
    finally:
        tmux.end()
