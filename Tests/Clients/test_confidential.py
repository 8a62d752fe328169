"""MSAL Python as a service: for itself, on behalf of a user, and with a key instead of a secret."""
import msal
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography import x509
import datetime

from browser import Browser
from calls import SCOPES, Wire, code_answer, confidential_app, public_app, refusal, sign_in, tokens


def test_a_service_gets_a_token_of_its_own_and_keeps_it(lab):
    wire, api = Wire(), [f"api://{lab.confidential[0]}/.default"]
    app = confidential_app(lab, http_client=wire)
    answer = tokens(app.acquire_token_for_client, api)
    assert not {"refresh_token", "id_token"} & set(answer), answer
    _, sent = wire.during(tokens, app.acquire_token_for_client, api)
    assert sent == []
    assert refusal(confidential_app(lab, "wrong").acquire_token_for_client, api) == "invalid_client"


def test_a_service_acts_on_behalf_of_whoever_called_it(lab):
    called = sign_in(public_app(lab, lab.public), lab.people[0], [f"api://{lab.confidential[0]}/access_as_user"])
    app = confidential_app(lab)
    tokens(app.acquire_token_on_behalf_of, called["access_token"], SCOPES)
    [account] = app.get_accounts() or [None]
    assert account is None or account["username"] == lab.people[0][0]
    broken = called["access_token"][:-8] + "AAAAAAAA"
    assert refusal(app.acquire_token_on_behalf_of, broken, SCOPES) == "invalid_grant"


def test_a_service_redeems_a_code_with_its_secret(lab):
    app = confidential_app(lab)
    flow, answer, _ = code_answer(app, Browser(*lab.people[0]), "/cb", response_mode="form_post")
    tokens(app.acquire_token_by_auth_code_flow, flow, answer)


def test_a_service_proves_itself_with_a_key(lab, tmp_path):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    client, file = "0e6f2c4a-0000-4000-8000-000000000001", tmp_path / "key.pem"
    file.write_bytes(key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    lab.ssoterm("registration", "add", client, "displayName=a service with a key")
    lab.ssoterm("registration", "set", client, f"publicKeys+=@{file}")
    name, now = x509.Name([]), datetime.datetime.now(datetime.timezone.utc)
    certificate = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(1)).sign(
        key, hashes.SHA256())
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                            serialization.NoEncryption()).decode()
    app = confidential_app(lab, client_id=client, credential={
        "private_key": pem, "public_certificate": certificate.public_bytes(serialization.Encoding.PEM).decode()})
    tokens(app.acquire_token_for_client, [f"api://{lab.confidential[0]}/.default"])
