"""Apache with mod_auth_openidc, both from Debian: a web server that admits users whom the provider signed in."""
import os, pathlib, shutil, socket, subprocess, tempfile, time

import requests

MODULES = pathlib.Path("/usr/lib/apache2/modules")
CONFIGURATION = """\
ServerName localhost
PidFile {folder}/pid
Mutex file:{folder}
ErrorLog {folder}/error.log
Listen 127.0.0.1:{port}
DocumentRoot {folder}/www
TypesConfig /dev/null
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
<Directory {folder}/www>
  Options +Includes
</Directory>
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCCABundlePath {folder}/ca.pem
OIDCClientID {client}
OIDCClientSecret {secret}
OIDCRedirectURI http://localhost:{port}/secure/redirect_uri
OIDCCryptoPassphrase nothing-to-hide
OIDCScope "openid profile User.Read"
OIDCPKCEMethod S256
OIDCRemoteUserClaim preferred_username
OIDCResponseMode {mode}
OIDCResponseType "{response_type}"
OIDCProviderTokenEndpointAuth {authentication}
<Location /secure>
  AuthType openid-connect
  Require valid-user
</Location>
"""
PAGE = '<p>user=<!--#echo var="REMOTE_USER" --> tid=<!--#echo var="OIDC_CLAIM_tid" --></p>\n'


class Apache:
    def __init__(self, lab, mode="query", authentication="client_secret_basic", response_type="code"):
        program = shutil.which("apache2") or "/usr/sbin/apache2"
        assert os.access(program, os.X_OK), "apache2 is missing: Scripts/install-packages clients"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ssoterm-apache-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "www/secure").mkdir(parents=True)
        (self.folder / "www/secure/index.shtml").write_text(PAGE)
        (self.folder / "www/loggedout").write_text("<p>signed out</p>\n")
        shutil.copy(lab.certificates, self.folder / "ca.pem")
        client, secret = lab.confidential
        names = ["mpm_event", "authn_core", "authz_core", "authz_user", "include", "mime", "dir", "auth_openidc"]
        loads = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in names)
        (self.folder / "apache.conf").write_text(loads + CONFIGURATION.format(
            folder=self.folder, port=self.port, issuer=lab.issuer, client=client, secret=secret, mode=mode,
            authentication=authentication, response_type=response_type) + "DirectoryIndex index.shtml\n")
        # Apache does not serve as root.
        user = "www-data" if os.geteuid() == 0 else None
        for path in [self.folder, *self.folder.rglob("*")] if user else []:
            shutil.chown(path, user)
        self.server = subprocess.Popen([program, "-D", "FOREGROUND", "-f", self.folder / "apache.conf"], user=user,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.url = f"http://localhost:{self.port}"
        until = time.monotonic() + 60
        while not self.answers():
            assert self.server.poll() is None, self.server.stderr.read()
            assert time.monotonic() < until, self.errors
            time.sleep(.05)

    def answers(self):
        try:
            return requests.get(self.url + "/loggedout", timeout=5).ok
        except requests.ConnectionError:
            return False

    @property
    def errors(self):
        return (self.folder / "error.log").read_text()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(timeout=60)
        shutil.rmtree(self.folder)
