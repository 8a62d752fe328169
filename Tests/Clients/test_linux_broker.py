"""Programs that use Microsoft's broker on Linux call `ssoterm broker serve` on a private bus."""
import json, re, subprocess, sys

import pytest, requests

from browser import Listener
from calls import public_app, tokens
from chromium import Chromium
from conftest import trust
from lab import PROGRAM, Lab
from tmux import Tmux

NATIVE = "https://login.microsoftonline.com/common/oauth2/nativeclient"
ADA = "ada@contoso.com"
STATUS = ["Unexpected", "Reserved", "InteractionRequired", "NoNetwork", "NetworkTemporarilyUnavailable",
          "ServerTemporarilyUnavailable", "ApiContractViolation", "UserCanceled", "ApplicationCanceled",
          "IncorrectConfiguration", "InsufficientBuffer", "AuthorityUntrusted", None, "AccountUnusable",
          "UserDataRemovalRequired", "TransientError", "AccountSwitch", "DeviceNotRegistered", "KeyNotFound",
          "AccountNotFound", "RequiredBrokerMissing", "FallbackToNativeMsal"]
ANY = r"[\s\S]*"


class Broker:
    """`ssoterm broker serve` on a terminal, over the store of a lab; a Secret Service is on its bus, as MSALRuntime wants."""

    def __init__(self, lab, folder, *options):
        self.lab, self.folder = lab, folder
        self.tmux = Tmux([PROGRAM, "broker", "serve", *options], lab.environment)
        self.tmux.see(r"broker answers on the bus|serves the store")
        line = lab.ssoterm("broker", "env")
        address = re.fullmatch(r"export DBUS_SESSION_BUS_ADDRESS='?([^'\n]+)'?\n", line)[1]
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self.environment = {**lab.environment, "DBUS_SESSION_BUS_ADDRESS": address, "HOME": str(folder),
                            "XDG_RUNTIME_DIR": str(runtime), "TENANT": lab.authority.rsplit("/", 1)[1]}
        self.keyring = subprocess.Popen(
            ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground", f"--control-directory={runtime}"],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.keyring.stdin.write(b"pw\n")
        self.keyring.stdin.close()

    def program(self, *steps):
        """MSAL Python in a process of its own: a library that asks the bus once."""
        return subprocess.Popen([sys.executable, "broker_program.py", *steps], env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def results(self, program, seconds=90):
        out, problems = program.communicate(timeout=seconds)
        assert program.returncode == 0, problems[-2000:]
        return [json.loads(line) for line in out.splitlines()]

    def call(self, method, request):
        """A call as linux-entra-sso sends it: by the request's shape, with no library of Microsoft's."""
        words = ["dbus-send", "--session", "--print-reply=literal", "--dest=com.microsoft.identity.broker1",
                 "/com/microsoft/identity/broker1", "com.microsoft.identity.Broker1." + method, "string:0.0",
                 "string:c0ffee00-0000-4000-8000-000000000000", "string:" + json.dumps(request)]
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def end(self):
        self.tmux.end()
        self.keyring.terminate()
        self.keyring.wait()


@pytest.fixture
def brokers(labs, tmp_path):
    started = []

    def start(*options):
        folder = tmp_path / f"broker{len(started)}"
        folder.mkdir()
        started.append(Broker(labs("--approve", "browser"), folder, *options))
        return started[-1]

    yield start
    for broker in started:
        broker.end()


def choose(broker, who=r"Ada Lovelace", password="analytical-engine"):
    tmux = broker.tmux
    tmux.see("Choose an account")
    tmux.press(tmux.see(r"(\d)  \w+ +" + who)[1], "Enter")
    if password:
        tmux.see("Password")
        tmux.press(password, "Enter")


def test_a_person_chooses_in_the_terminal_and_the_next_program_asks_nobody(brokers):
    """Interactive through the picker, accounts, silent from the cache, forced silent; then another vendor's client."""
    broker = brokers()
    program = broker.program("interactive", "accounts", "silent", "forced", "claims")
    tmux = broker.tmux
    tmux.see(r"client +04b07795")
    tmux.see(r"program of this user may use any")
    choose(broker)
    interactive, accounts, silent, forced, claims = broker.results(program)
    assert interactive["who"] == ADA and "error" not in interactive, interactive
    assert accounts["accounts"] == [ADA]
    assert silent["token"] == interactive["token"] and "error" not in silent, silent
    assert forced["who"] == ADA and "error" not in forced, forced
    assert claims["token"] not in (None, interactive["token"]), claims
    (second,) = broker.results(broker.program("--client", broker.lab.family[1], "signed-in"))
    assert second["who"] == ADA and "error" not in second, second
    apps = {row["name"]: row for row in broker.lab.rows("apps")}
    assert apps["Azure CLI"]["accounts"] == [ADA] and apps["Azure PowerShell"]["accounts"] == [ADA]
    assert broker.lab.values["SSOTERM_PASSWORD"] not in tmux.screen


def test_a_declined_call_is_told_as_cancelled(brokers):
    broker = brokers()
    program = broker.program("interactive")
    broker.tmux.see("Choose an account")
    broker.tmux.press("X")
    (result,) = broker.results(program)
    assert "Status_UserCanceled" in result["error_description"] or "cancel" in result["error"].lower(), result


def test_the_picker_of_a_program_that_ends_is_taken_down(brokers):
    broker = brokers()
    program = broker.program("interactive")
    broker.tmux.see("Choose an account")
    program.kill()
    program.communicate()
    broker.tmux.see(r"no longer waits for this" + ANY + "WAITS 0|no call waits")
    broker.tmux.press("Enter")
    second = broker.program("interactive")
    choose(broker)
    (result,) = broker.results(second)
    assert result["who"] == ADA, result


def test_two_programs_wait_at_once(brokers):
    broker = brokers()
    first = broker.program("interactive")
    second = broker.program("--client", broker.lab.family[1], "interactive")
    broker.tmux.see("WAITS 2")
    choose(broker)
    broker.tmux.see(r"WAITS 1" + ANY + "Choose an account")
    choose(broker, password=None)
    for program in (first, second):
        (result,) = broker.results(program)
        assert result["who"] == ADA, result


@pytest.mark.parametrize("number", range(22))
def test_every_status_has_the_words_of_msal(broker_signed_in, number):
    broker = broker_signed_in
    signed_in, result = broker.results(broker.program("signed-in", f"fault:{number}", "claims"))
    assert signed_in["who"] == ADA, signed_in
    text = json.dumps(result)
    assert "error" in result, result
    if STATUS[number]:
        assert f"Status_{STATUS[number]}" in text or number == 2 and result["error"] == "interaction_required", result


@pytest.fixture(scope="module")
def broker_signed_in(tmp_path_factory):
    """One broker with Ada's account, for calls that change nothing."""
    folder = tmp_path_factory.mktemp("signed-in")
    lab = Lab(folder, "--approve", "browser")
    (folder / "bus").mkdir()
    broker = Broker(lab, folder / "bus", "--approve", "auto:" + ADA)
    (result,) = broker.results(broker.program("interactive"))
    assert result["who"] == ADA, result
    yield broker
    broker.end()
    lab.end()


@pytest.fixture(autouse=True)
def no_faults(request):
    yield
    if "broker_signed_in" in request.fixturenames:
        request.getfixturevalue("broker_signed_in").lab.ssoterm("fault", "clear")


def test_the_four_calls_of_linux_entra_sso(broker_signed_in):
    broker = broker_signed_in
    client = broker.lab.family[0]
    assert broker.call("getLinuxBrokerVersion", {"msalCppVersion": "1.28.0"}) == {"linuxBrokerVersion": "2.5.0"}
    (account,) = broker.call("getAccounts", {"clientId": client, "redirectUri": client})["accounts"]
    assert account["username"] == ADA and account["environment"] == "login.windows.net"
    parameters = {"account": account, "additionalQueryParametersForAuthorization": {},
                  "authority": "https://login.microsoftonline.com/common", "authorizationType": 8, "clientId": client,
                  "redirectUri": NATIVE, "requestedScopes": ["https://graph.microsoft.com/.default"],
                  "ssoUrl": "https://login.microsoftonline.com/", "username": ADA}
    cookie = broker.call("acquirePrtSsoCookie", {"account": account, "authParameters": parameters,
                                                 "mamEnrollment": False, "ssoUrl": parameters["ssoUrl"]})
    assert cookie["cookieName"] == "x-ms-RefreshTokenCredential"
    assert cookie["cookieItems"][0]["cookieContent"] == cookie["cookieContent"]
    parameters["authorizationType"] = 1
    token = broker.call("acquireTokenSilently", {"authParameters": parameters})["brokerTokenResponse"]
    assert token["accessToken"].count(".") == 2 and token["account"]["username"] == ADA


@pytest.mark.parametrize("with_nonce", [True, False], ids=["nonce", "iat"])
def test_a_browser_is_signed_in_by_the_cookie(broker_signed_in, with_nonce):
    """Chromium, with the header that the extension sets, opens an authorization request and gets its code with no page."""
    broker = broker_signed_in
    lab = broker.lab
    trust(lab)
    with Chromium() as chromium, Listener() as listener:
        flow = public_app(lab).initiate_auth_code_flow(["User.Read"], redirect_uri=listener.uri)
        url = flow["auth_uri"]
        if with_nonce:
            answer = requests.post(lab.origin + "/common/oauth2/token", data={"grant_type": "srv_challenge"},
                                   verify=lab.certificates, timeout=60)
            url += "&sso_nonce=" + answer.json()["Nonce"]
        cookie = broker.call("acquirePrtSsoCookie", {"ssoUrl": url})
        chromium.call("POST", "/goog/cdp/execute", cmd="Network.enable", params={})
        chromium.call("POST", "/goog/cdp/execute", cmd="Network.setExtraHTTPHeaders",
                      params={"headers": {cookie["cookieName"]: cookie["cookieContent"]}})
        chromium.open(url)
        chromium.see("done")
        assert listener.methods == ["GET"]
        claims = tokens(public_app(lab).acquire_token_by_auth_code_flow, flow, listener.answer)["id_token_claims"]
    assert claims["preferred_username"] == ADA, claims


def test_a_command_runs_on_the_bus_and_the_broker_ends_with_it(labs, tmp_path):
    lab = labs("--approve", "browser")
    words = [PROGRAM, "broker", "serve", "--approve", "auto:" + ADA, "--", "sh", "-c",
             "dbus-send --session --print-reply=literal --dest=com.microsoft.identity.broker1 "
             "/com/microsoft/identity/broker1 com.microsoft.identity.Broker1.getLinuxBrokerVersion "
             "string:0.0 string: string:{}; exit 7"]
    done = subprocess.run(words, env=lab.environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, json.loads(done.stdout)) == (7, {"linuxBrokerVersion": "2.5.0"}), done.stderr
