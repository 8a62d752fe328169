"""Dovecot from Debian: a mail server that checks access tokens itself.

The package starts a mail server, so Scripts/install-packages does not install it. The test is skipped without the package,
or without root, which Dovecot requires.
"""
import imaplib, os, pathlib, shutil, socket, subprocess, tempfile

import jwt, pytest, requests
from cryptography.hazmat.primitives import serialization

from calls import public_app, sign_in

CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
auth_mechanisms = xoauth2
mail_location = maildir:{folder}/mail
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=65534 gid=65534 home={folder}/mail
}}
"""
CHECKING = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
username_attribute = upn
"""


@pytest.fixture
def mail(lab):
    """A running Dovecot that knows the provider's keys: its port."""
    if not shutil.which("dovecot") or os.geteuid() != 0:
        pytest.skip("no dovecot, or not root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ssoterm-dovecot-"))
    folder.chmod(0o755)
    keys = folder / "keys/default/RS256"
    keys.mkdir(parents=True)
    for key in requests.get(lab.authority + "/discovery/v2.0/keys", timeout=60).json()["keys"]:
        public = jwt.PyJWK(key, algorithm="RS256").key
        (keys / key["kid"]).write_bytes(public.public_bytes(serialization.Encoding.PEM,
                                                            serialization.PublicFormat.SubjectPublicKeyInfo))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "oauth2.conf").write_text(CHECKING.format(folder=folder))
    (folder / "dovecot.conf").write_text(CONFIGURATION.format(folder=folder, port=port))
    # It stays behind with its output open.
    subprocess.run(["dovecot", "-c", folder / "dovecot.conf"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    yield port
    subprocess.run(["doveadm", "-c", folder / "dovecot.conf", "stop"], check=True, capture_output=True)
    shutil.rmtree(folder)


def log_in(port, name, token):
    with imaplib.IMAP4("127.0.0.1", port) as client:
        return client.authenticate("XOAUTH2", lambda _: f"user={name}\x01auth=Bearer {token}\x01\x01".encode())[0]


def test_a_mail_server_lets_in_whom_the_token_names(lab, mail):
    name = lab.people[0][0]
    token = sign_in(public_app(lab), lab.people[0], ["https://outlook.office365.com/IMAP.AccessAsUser.All"])["access_token"]
    assert log_in(mail, name, token) == "OK"
    for wrong in (token[:-8] + "AAAAAAAA", "opaque"):
        with pytest.raises(imaplib.IMAP4.error, match="AUTHENTICATIONFAILED"):
            log_in(mail, name, wrong)
