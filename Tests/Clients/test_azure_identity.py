"""azure-identity, used as in programs for Azure."""
from azure.identity import ClientSecretCredential, DeviceCodeCredential

from calls import approve


def options(lab):
    return {"authority": lab.origin, "tenant_id": lab.authority.rsplit("/", 1)[1], "disable_instance_discovery": True,
            "connection_verify": lab.certificates}


def test_a_device_code_credential_signs_in_and_then_asks_nobody(lab):
    asked = []

    def show(uri, code, _expires):
        asked.append(code)
        approve({"verification_uri": uri, "user_code": code}, lab.people[0])

    credential = DeviceCodeCredential(client_id=lab.family[0], prompt_callback=show, **options(lab))
    first = credential.get_token("https://graph.microsoft.com/User.Read")
    second = credential.get_token("https://management.core.windows.net//.default")
    assert len(asked) == 1 and first.token != second.token


def test_a_client_secret_credential_gets_a_token(lab):
    client_id, secret = lab.confidential
    credential = ClientSecretCredential(client_id=client_id, client_secret=secret, **options(lab))
    assert credential.get_token(f"api://{client_id}/.default").token
