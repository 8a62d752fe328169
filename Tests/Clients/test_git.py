"""git-credential-oauth from Debian: Go's OAuth library signs git in through the browser."""
import os, stat, subprocess, time

import jwt

from browser import Browser


def test_git_signs_in_through_the_browser(lab, tmp_path):
    opened, folder = tmp_path / "url", tmp_path / "bin"
    host, tenant = lab.origin[8:], lab.authority.rsplit("/", 1)[1]
    folder.mkdir()
    for name in ("xdg-open", "x-www-browser", "www-browser"):
        (folder / name).write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
        (folder / name).chmod(stat.S_IRWXU)
    settings = {"oauthClientId": lab.public, "oauthScopes": "openid profile https://graph.microsoft.com/User.Read",
                "oauthAuthURL": f"/{tenant}/oauth2/v2.0/authorize", "oauthTokenURL": f"/{tenant}/oauth2/v2.0/token"}
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{folder}:{os.environ['PATH']}",
                   "SSL_CERT_FILE": lab.certificates, "GIT_CONFIG_NOSYSTEM": "1"}
    for key, value in settings.items():
        subprocess.run(["git", "config", "--global", f"credential.{lab.origin}.{key}", value], env=environment,
                       check=True)
    asking = subprocess.Popen(["git-credential-oauth", "get"], env=environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with asking:
        asking.stdin.write(f"protocol=https\nhost={host}\n\n")
        asking.stdin.close()
        while not opened.exists():
            assert asking.poll() is None, asking.stderr.read()
            time.sleep(.05)
        Browser(*lab.people[0]).open(opened.read_text().strip())
        fields = dict(line.split("=", 1) for line in asking.stdout.read().splitlines() if "=" in line)
        assert asking.wait(timeout=60) == 0, asking.stderr.read()
    assert jwt.decode(fields["password"], options={"verify_signature": False})["unique_name"] == lab.people[0][0]
