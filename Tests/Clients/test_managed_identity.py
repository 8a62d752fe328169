"""Programs that get tokens from the machine on which they run, or with tokens of another issuer."""
import os, subprocess, sys

import jwt, msal, pytest, requests
from azure.core.exceptions import ClientAuthenticationError
from azure.identity import CredentialUnavailableError, ManagedIdentityCredential, WorkloadIdentityCredential

from lab import PROGRAM

ARM = "https://management.azure.com"
VARIABLES = ("AZURE_POD_IDENTITY_AUTHORITY_HOST", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "MSI_ENDPOINT", "MSI_SECRET",
             "IMDS_ENDPOINT")


@pytest.fixture
def machine(labs, monkeypatch, request):
    """A server that plays a machine of the kind asked for; its variables are set."""
    if request.param == "arc" and not os.access("/var/opt", os.W_OK):
        pytest.skip("/var/opt cannot be written")
    lab = labs("--managed-identity", request.param, "--approve", "browser")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in set(VARIABLES) & set(lab.values):
        monkeypatch.setenv(name, lab.values[name])
    return lab


every_kind = pytest.mark.parametrize("machine", ["imds", "app-service", "machine-learning", "arc"], indirect=True)
imds = pytest.mark.parametrize("machine", ["imds"], indirect=True)


def identity(lab, name):
    return {f["name"]: f["value"] for f in lab.json("identity", "show", name)["fields"]}


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


def client(wanted=None):
    return msal.ManagedIdentityClient(wanted or msal.SystemAssignedManagedIdentity(), http_client=requests.Session())


@every_kind
def test_azure_identity_gets_a_token_of_the_machine(machine):
    token = ManagedIdentityCredential().get_token(ARM + "/.default")
    assert claims(token.token)["oid"] == identity(machine, "lab-machine")["objectID"]


@every_kind
def test_msal_gets_a_token_of_the_machine_and_keeps_it(machine):
    app = client()
    first = app.acquire_token_for_client(resource=ARM)
    assert claims(first["access_token"])["appid"] == identity(machine, "lab-machine")["clientID"], first
    assert app.acquire_token_for_client(resource=ARM)["token_source"] == "cache"


@every_kind
def test_both_get_a_token_of_a_user_assigned_identity(machine):
    wanted = identity(machine, "lab-identity")
    token = ManagedIdentityCredential(client_id=wanted["clientID"]).get_token(ARM + "/.default").token
    assert claims(token)["xms_mirid"] == wanted["resourceID"]
    if machine.options[1] != "arc":            # MSAL Python refuses to name one there
        for ask in (msal.UserAssignedManagedIdentity(client_id=wanted["clientID"]),
                    msal.UserAssignedManagedIdentity(object_id=wanted["objectID"])):
            assert claims(client(ask).acquire_token_for_client(resource=ARM)["access_token"])["oid"] == wanted["objectID"]


@imds
def test_an_identity_that_is_not_assigned_is_unavailable(machine):
    with pytest.raises(CredentialUnavailableError, match="Identity not found"):
        ManagedIdentityCredential(client_id="00000000-0000-4000-8000-000000000000").get_token(ARM + "/.default")


@imds
def test_a_machine_under_maintenance_is_asked_again(machine):
    machine.ssoterm("fault", "add", "identity", "410", "--times", "1")
    assert ManagedIdentityCredential().get_token(ARM + "/.default").token


@imds
def test_the_lists_show_what_the_machine_gave(machine):
    ManagedIdentityCredential().get_token(ARM + "/.default")
    assert "lab-machine" in machine.ssoterm("accounts") and "lab-machine" in machine.ssoterm("tokens")
    assert "lab-machine" in machine.ssoterm("trace", "list")


def test_no_listener_is_there_unless_it_is_asked_for(lab):
    assert not set(VARIABLES) & set(lab.values)
    assert requests.get(lab.origin + "/metadata/identity/oauth2/token", headers={"Metadata": "true"},
                        timeout=60).status_code == 404


@pytest.fixture
def workload(lab, tmp_path):
    """A credential that reads its token from a file, and the file."""
    subject, file = "system:serviceaccount:shop:web", tmp_path / "token"
    said = lab.ssoterm("federation", "add", lab.confidential[0], "--subject", subject)
    assert "api://AzureADTokenExchange" in said, said
    credential = WorkloadIdentityCredential(
        tenant_id=lab.authority.rsplit("/", 1)[1], client_id=lab.confidential[0], token_file_path=str(file),
        authority=lab.origin, disable_instance_discovery=True, connection_verify=lab.certificates)
    yield credential, file, subject
    lab.ssoterm("registration", "set", lab.confidential[0], "federatedCredentials=")


def test_a_workload_gets_a_token_by_one_of_another_issuer(lab, workload):
    credential, file, subject = workload
    file.write_text(lab.ssoterm("federation", "token", "--subject", subject))
    assert claims(credential.get_token(ARM + "/.default").token)["appidacr"] == "2"


@pytest.mark.parametrize("options, number", [
    (["--subject", "system:serviceaccount:shop:other"], "AADSTS700213"),
    (["--subject", "system:serviceaccount:shop:web", "--audience", "api://other"], "AADSTS700212"),
    (["--subject", "system:serviceaccount:shop:web", "--issuer", "https://other.example"], "AADSTS700211"),
])
def test_a_workload_is_told_what_does_not_match(lab, workload, options, number):
    credential, file, _ = workload
    file.write_text(lab.ssoterm("federation", "token", *options))
    with pytest.raises(ClientAuthenticationError, match=number):
        credential.get_token(ARM + "/.default")


def test_run_gives_a_program_a_machine_of_its_own(tmp_path):
    script = ("from azure.identity import ManagedIdentityCredential as M; import os, sys; "
              f"sys.exit(5 if M().get_token('{ARM}/.default').token and os.environ['SSOTERM_STORE'] else 1)")
    report = tmp_path / "requests.xml"
    ended = subprocess.run([PROGRAM, "run", "--managed-identity", "imds", "--report", "junit", report, "--",
                            sys.executable, "-c", script], timeout=120)
    assert ended.returncode == 5
    assert 'tests="1" failures="0"' in report.read_text() and "lab-machine" in report.read_text()
