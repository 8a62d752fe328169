"""Requests that Entra refuses are refused here with the same number, error, and status, and `ssoterm reproduce` makes a
lab that refuses so of a recording of them.

`wrong_requests.tsv` has a row for each; docs/wrong-requests.md is written from it, and docs/differs-from-entra.md from `differences.tsv`: RECORD_WRONG_REQUESTS=1 Tests/Clients/run
test_wrong_requests.py. A number of `?` is not known from public sources: the row then only has to be answered, and not by a 5xx. `!` before a number: SSOTerm answers with another one.
`sentence` is a part of the description, or of the page, as a public source has it.
"""
import base64, csv, datetime, hashlib, html, os, pathlib, re, shlex, subprocess, time, urllib.parse

import jwt, pytest, requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from har import Traffic
from lab import PROGRAM, ROOT

TABLE, PAGE = pathlib.Path(__file__).with_name("wrong_requests.tsv"), ROOT / "docs/wrong-requests.md"
DIFFERENCES, COMPARISON = pathlib.Path(__file__).with_name("differences.tsv"), ROOT / "docs/differs-from-entra.md"


def table(path):
    return list(csv.DictReader(path.open(), delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = table(TABLE)
VERIFIER, CALLBACK = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "http://localhost/cb"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
SPA = "5c1e0f5a-0000-4000-8000-000000000001"
SCOPE = "openid profile offline_access https://graph.microsoft.com/User.Read"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


# Answers that no call of a scenario's program leads to, one that is not a failure, three whose token somebody else signs,
# and one without a code.
NOT_REPRODUCED = {"query that is too long", "GET of the token endpoint", "poll before the user has answered",
                  "federated credential of another subject", "client assertion that has expired",
                  "client assertion for another audience",
                  # The cause of such a text is that of any invalid_request, and App Service's response has no code.
                  "managed identity that the machine does not have", "several user-assigned identities, none named",
                  "token of a machine without the header Metadata",
                  "token of a machine with the resource twice",
                  # One registration with a secret for a server and a desktop app is not among the worlds that are tried.
                  "secret with a code of a mobile or desktop app", "secret with a refresh token of a mobile or desktop app",
                  "key of a bound token that cannot be read", "on-behalf-of at another tenant than the assertion's",
                  "instance discovery without an authorization endpoint", "prompt=admin_consent in version 2.0",
                  "App Service: identity that the app does not have",
                  "App Service: only user-assigned identities, none named", "App Service: wrong secret",
                  # The recording of one GET names no program.
                  "GET of the token endpoint by a browser",
                  # No program of a scenario asks for an administrator's consent.
                  "admin consent by a user who is not an administrator", "admin consent that the administrator declines",
                  "admin consent, version 1, by a user who is not an administrator",
                  "admin consent, redirect URI that is not registered", "admin consent, no client ID",
                  "admin consent at common", "admin consent at consumers",
                  # A bare 50011 is taken for that of a page.
                  "redirect URI that is not registered, with a code",
                  # Scopes that a daemon's cause does not send.
                  "app token for two APIs", "app token with .default behind a permission", "app token without a scope",
                  # No program of a scenario uses the implicit flow, sends a field twice, signs an assertion, redeems
                  # another program's token, or is its own API.
                  "scopes of several APIs where the answer has the access token",
                  "access token for OpenID scopes alone", "made-up device code at consumers", "version 1: resource is the client's own App ID URI",
                  "two values of resource", "token of an app of Entra's as a federated credential",
                  "scope sent twice", "scope sent twice with a code", "prompt sent twice", "login_hint sent twice",
                  "client assertion signed with a secret (HS256)", "client assertion that does not name its certificate",
                  "client assertion without an issuer", "client assertion without an audience",
                  "client assertion that names another client", "client assertion whose subject is not its issuer",
                  "refresh token of another client",
                  "refresh of a client that is its own API, without a scope",
                  "refresh of a client that is its own API, with OpenID scopes alone", "code of another client",
                  "on-behalf-of with an ID token", "version 1 at consumers", "version 1: password without a resource",
                  "version 1: access token without a resource",
                  # The person of a cause for programs has an account of an organisation.
                  "device code at consumers where public client flows are not allowed"}

# For these, the lab fails with the same number in a call with another grant, or with a page, so they are only near.
ONLY_NEAR = {"password at organizations for a domain of no tenant", "refresh for an app that has become one of another tenant", "prompt=none and resource that does not fit", "public client sends a secret",
             "client assertion that is not a token", "refresh of an unknown client", "poll of an unknown client", "refresh for a permission without consent", "device code, resource that does not fit", "token of a machine for an unknown API"}


ASSERTIONS = {"one_audience": {"is_signed": False}, "two_audiences": {"audiences": ["issuer", "token"], "is_signed": False},
              "expired": {"age": 3600}, "other_audience": {"audiences": ["other"]}, "hs256": {"algorithm": "HS256"},
              "unnamed": {"header": {}}, "no_issuer": {"claims": {"iss": None}}, "no_audience": {"claims": {"aud": None}},
              "other_subject": {"claims": {"sub": "99999999-9999-4999-8999-999999999999"}},
              "other_client": {"claims": {"iss": "99999999-9999-4999-8999-999999999999"}},
              "other_thumbprint": {"header": {"x5t": "A" * 27}}, "other_thumbprint_256": {"header": {"x5t#S256": "A" * 43}},
              "expired_thumbprint": {"header": {"x5t": "of the certificate"}}}


def generated_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def certificate(key, ended):
    name, now = x509.Name([]), datetime.datetime.now(datetime.timezone.utc)
    start = now - datetime.timedelta(days=400 if ended else 1)
    return x509.CertificateBuilder(name, name, key.public_key(), 1, start, start + datetime.timedelta(days=365)).sign(
        key, hashes.SHA256())


class Request:
    """A request of the table: one that is in order, with the row's changes."""

    def __init__(self, lab, row):
        self.lab, self.kind, self.key = lab, row["request"], generated_key()
        self.words = {"public": lab.public, "public2": lab.family[1], "cli": lab.family[0], "conf": lab.confidential[0],
                      "spa": SPA, "api": "api://" + lab.confidential[0],
                      "secret": lab.confidential[1], "long": "x" * 20_000,
                      "other_verifier": VERIFIER[::-1], "assertion_type": ASSERTION}
        self.at, self.fields = {"tenant": "contoso.com", "client": "public"}, []
        for change in filter(None, row["changes"].split(" & ")):
            if change.startswith("@"):
                name, _, value = change[1:].partition("=")
                self.at[name] = value
            else:
                self.fields.append(change)
        for command in filter(lambda text: text and text != "@browser", row["before"].split(" ; ")):
            self.run(command)

    def run(self, command):
        self.lab.ssoterm(*shlex.split(self.filled(command)))

    def filled(self, text):
        def value(match):
            name = match[1]
            if name.startswith("federated:"):
                # {federated:SUBJECT|OPTION|VALUE…}
                subject, *options = name.partition(":")[2].split("|")
                options = [f"--{word}" if number % 2 == 0 else word for number, word in enumerate(options)]
                return self.lab.ssoterm("federation", "token", "--subject", subject, *options).strip()
            if name in ASSERTIONS:
                return self.assertion(**ASSERTIONS[name])
            if name == "key":
                path = self.lab.store.parent / "key.pem"
                path.write_bytes(self.key.public_key().public_bytes(
                    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
                return str(path)
            if name in ("certificate", "expired_certificate"):
                path = self.lab.store.parent / "certificate.pem"
                self.certificate = certificate(self.key, ended=name == "expired_certificate")
                path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))
                return str(path)
            if name == "basic_wrong":
                return base64.b64encode((self.words["conf"] + ":wrong").encode()).decode()
            if name == "vault_token":
                return self.sign_in("openid https://vault.azure.net/user_impersonation")["access_token"]
            if name == "foreign":
                return jwt.encode({"iss": "https://token.actions.githubusercontent.com", "sub": "repo:contoso/app:ref:refs/heads/main",
                                   "aud": "api://AzureADTokenExchange", "exp": int(time.time()) + 600}, self.key, "RS256")
            if name in ("tenant", "other_tenant"):
                shown = self.lab.ssoterm("tenant", "show", {"tenant": "Contoso", "other_tenant": "other.example"}[name])
                return re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", shown)[0]
            if name == "id_token":
                return self.sign_in(SCOPE)["id_token"]
            if name == "graph_token":
                return self.sign_in(SCOPE)["access_token"]
            if name == "app_token":
                return self.post("token", dict(self.app(), scope=self.words["api"] + "/.default")).json()["access_token"]
            return self.words[name]
        return re.sub(r"\{([^{}]+)\}", value, text)

    def assertion(self, audiences=("issuer",), age=0, is_signed=True, algorithm="RS256", header={"x5t": "YQ"}, claims={}):
        places = {"issuer": self.lab.issuer, "token": self.lab.authority + "/oauth2/v2.0/token",
                  "other": "https://login.microsoftonline.us/common/v2.0"}
        audiences, now = [places[name] for name in audiences], int(time.time()) - age
        claims = {"iss": self.words["conf"], "sub": self.words["conf"], "jti": "1", "nbf": now, "exp": now + 600,
                  "aud": audiences if len(audiences) > 1 else audiences[0], **claims}
        if header.get("x5t") == "of the certificate":
            header = {"x5t": base64.urlsafe_b64encode(self.certificate.fingerprint(hashes.SHA1())).rstrip(b"=").decode()}
        key = "a secret of thirty-two characters" if algorithm == "HS256" else self.key if is_signed else generated_key()
        return jwt.encode({name: value for name, value in claims.items() if value}, key, algorithm, headers=header)

    # What the changes are made to
    def proof(self):
        if self.at["client"] == "conf":
            client, secret = self.lab.confidential
            return {"client_id": client, **({"client_secret": secret} if "secret" in self.at else {})}
        return {"client_id": {"spa": SPA, "cli": self.lab.family[0]}.get(self.at["client"], self.lab.public)}

    @property
    def callback(self):
        return "http://localhost:3000/" if self.at["client"] == "spa" else CALLBACK

    def app(self):
        client, secret = self.lab.confidential
        return {"grant_type": "client_credentials", "client_id": client, "client_secret": secret,
                "scope": "https://graph.microsoft.com/.default"}

    def authorization(self, scope=SCOPE):
        scope = self.filled(self.at.get("scope", scope))
        fields = {"client_id": self.proof()["client_id"], "response_type": "code", "redirect_uri": self.callback, "scope": scope, "state": "s",
                  "nonce": "n", "code_challenge": CHALLENGE, "code_challenge_method": "S256"}
        return {name: value for name, value in fields.items() if "nopkce" not in self.at or "challenge" not in name}

    def code(self, scope=SCOPE):
        answer = requests.get(f"{self.lab.origin}/contoso.com/oauth2/v2.0/authorize", self.authorization(scope),
                              allow_redirects=False, timeout=60)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))["code"]

    def redemption(self, scope=SCOPE):
        fields = {"grant_type": "authorization_code", **self.proof(), "code": self.code(scope), "redirect_uri": self.callback}
        return fields if "nopkce" in self.at else {**fields, "code_verifier": VERIFIER}

    def sign_in(self, scope):
        origin = {"Origin": "http://localhost:3000"} if self.at["client"] == "spa" else {}
        answer = self.post("token", self.redemption(scope), origin)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def base(self):
        name, password = self.lab.people[0]
        match self.kind:
            case "authorize":
                return self.authorization()
            case "adminconsent":
                return {"client_id": self.lab.public, "redirect_uri": CALLBACK, "state": "s",
                        **({} if "v1" in self.at else {"scope": "https://graph.microsoft.com/Mail.Read"})}
            case "code":
                return self.redemption()
            case "refresh":
                return {"grant_type": "refresh_token", **self.proof(), "refresh_token": self.sign_in(SCOPE)["refresh_token"]}
            case "app":
                return self.app()
            case "password":
                return {"grant_type": "password", "client_id": self.lab.public, "username": name, "password": password,
                        "scope": SCOPE}
            case "device":
                return {"client_id": self.lab.public, "scope": SCOPE}
            case "poll":
                asked = self.post("devicecode", {**self.proof(), "scope": SCOPE}).json()
                return {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", **self.proof(),
                        "device_code": asked["device_code"]}
            case "obo":
                return {**self.app(), "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "scope": SCOPE,
                        "assertion": self.sign_in(self.words["api"] + "/access_as_user")["access_token"],
                        "requested_token_use": "on_behalf_of"}
            case "identity":
                version = {"imds": "2018-02-01", "app-service": "2019-08-01", "machine-learning": "2017-09-01",
                           "arc": "2020-06-01"}
                return {"api-version": version[machine(self.at)], "resource": "https://management.azure.com"}
        return {}

    def post(self, endpoint, fields, headers={}, tenant="contoso.com"):
        return requests.post(f"{self.lab.origin}/{tenant}/oauth2/v2.0/{endpoint}", fields, headers=headers, timeout=60)

    def answer(self):
        fields = list(self.base().items())
        for change in self.fields:
            name, _, value = change.lstrip("+-").partition("=")
            if not change.startswith("+"):
                fields = [field for field in fields if field[0] != name]
            if not change.startswith("-"):
                fields.append((name, self.filled(value)))
        for name in ("run", "run2"):
            if name in self.at:
                self.run(self.at[name])
        if "clock" in self.at:
            self.run("clock +" + self.at["clock"])
        headers = {name.capitalize(): self.filled(self.at[name]) for name in ("origin", "authorization") if name in self.at}
        for number in range(int(self.at.get("wrong", 0))):
            self.send([("password", f"wrong {number}") if name == "password" else (name, value) for name, value in fields], headers)
        for _ in range(2 if "twice" in self.at else 1):
            answer = self.send(fields, headers)
        return answer

    def send(self, fields, headers):
        tenant, origin, version = self.at["tenant"], self.lab.origin, "" if "v1" in self.at else "v2.0/"
        match self.kind:
            case "authorize":
                return requests.get(f"{origin}/{tenant}/oauth2/{version}authorize", fields, allow_redirects=False, timeout=60)
            case "adminconsent":
                return requests.get(f"{origin}/{tenant}/{version}adminconsent", fields, allow_redirects=False, timeout=60)
            case "endpoint":
                return self.post(self.at["endpoint"], {"client_id": self.lab.public, "token": "x"})
            case "discovery":
                return requests.get(f"{origin}/{tenant}/v2.0/.well-known/openid-configuration", timeout=60)
            case "path":
                return requests.get(origin + self.at["path"], timeout=60)
            case "get" | "browse":
                accepted = "text/html,*/*" if self.kind == "browse" else "*/*"
                return requests.get(f"{origin}/{tenant}/oauth2/v2.0/token", headers={"Accept": accepted}, timeout=60)
            case "device":
                return self.post("devicecode", fields, headers, tenant)
            case "identity":
                return requests.get(self.machine(), fields, headers=self.proof_of_machine(), timeout=60)
        return requests.post(f"{origin}/{tenant}/oauth2/{version}token", fields, headers=headers, timeout=60)

    def machine(self):
        """The address of the machine's endpoint."""
        values = self.lab.values
        return values.get("IDENTITY_ENDPOINT") or values.get("MSI_ENDPOINT") or (
            values["AZURE_POD_IDENTITY_AUTHORITY_HOST"] + "/metadata/identity/oauth2/token")

    def proof_of_machine(self):
        """The headers of a program on the machine; `@headers` says what is wrong with them."""
        values, change = self.lab.values, self.at.get("headers")
        if change == "none":
            return {}
        match machine(self.at):
            case "app-service":
                return {"X-IDENTITY-HEADER": change or values["IDENTITY_HEADER"]}
            case "machine-learning":
                return {"secret": change or values["MSI_SECRET"]}
        headers = {"Metadata": "true"}
        if change == "forwarded":
            headers["X-Forwarded-For"] = "10.0.0.1"
        elif change:
            headers["Authorization"] = "Basic " + change
        return headers


def machine(at):
    return at.get("machine", "imds")


def refusal(answer, form):
    """(number, error, suberror, sentence) of an answer, from the place where its form has them."""
    if form == "redirect":
        assert answer.status_code == 302, answer.text[:300]
        parts = urllib.parse.urlsplit(answer.headers["Location"])
        fields = dict(urllib.parse.parse_qsl(parts.query or parts.fragment))
        assert "error_codes" not in fields and fields["state"] == "s", fields
        description = fields["error_description"]
        number = re.match(r"AADSTS(\d+): ", description)[1]
        assert fields["error_uri"].endswith("error?code=" + number), fields
        return number, fields["error"], "", description
    if form == "page":
        assert "Location" not in answer.headers
        return re.search(r"AADSTS(\d+)", answer.text)[1], "", "", html.unescape(answer.text)
    body = answer.json()
    if "statusCode" in body:
        assert body["statusCode"] == answer.status_code and body["correlationId"] == answer.headers["X-CORRELATION-ID"], body
        return "", "", "", body["message"]
    if form == "identity":
        number = re.match(r"AADSTS(\d+): .* Trace ID: \S+ Correlation ID: \S+ Timestamp: \S+ \S+Z$", body["error_description"], re.S)
        return number[1] if number else "", body["error"], "", body["error_description"]
    number = re.match(r"AADSTS(\d+): .* Trace ID: \S+ Correlation ID: \S+ Timestamp: \S+ \S+Z$", body["error_description"], re.S)
    assert body["error_codes"] == [int(number[1])] and body["trace_id"] in body["error_description"], body
    assert answer.headers["x-ms-request-id"] == body["trace_id"], answer.headers
    return number[1], body["error"], body.get("suberror", ""), body["error_description"]


@pytest.mark.parametrize("row", ROWS, ids=[row["situation"] for row in ROWS])
def test_a_wrong_request_is_refused_as_at_entra(row, labs, tmp_path, monkeypatch):
    options = []
    if row["request"] == "identity":
        kind = re.search(r"@machine=(\S+)", row["changes"])
        options = ["--managed-identity", kind[1] if kind else "imds"]
        if "arc" in options and not os.access("/var/opt", os.W_OK):
            pytest.skip("/var/opt cannot be written")
    lab = labs("--approve", "browser" if "@browser" in row["before"] else "auto:ada@contoso.com", *options)
    traffic = Traffic(monkeypatch)
    answer = Request(lab, row).answer()
    if row["number"] == "?":
        assert answer.status_code < 500, answer.text
        return
    if row["status"]:
        assert answer.status_code == int(row["status"]), answer.text
    if row["status"] == "404" or row["form"] == "none":
        return
    number, error, suberror, sentence = refusal(answer, row["form"].rstrip("?"))
    if row["number"].startswith("!"):
        assert number != row["number"][1:], "no longer different: drop the exclamation mark"
        return
    found = {"number": number, "error": error, "suberror": suberror}
    assert {name: found[name] for name in found if row[name]} == {name: row[name] for name in found if row[name]}
    assert row["sentence"] in sentence, sentence
    if row["situation"] not in NOT_REPRODUCED:
        recording = tmp_path / "sign-in.har"
        recording.write_text(traffic.text(lab.origin))
        done = subprocess.run([PROGRAM, "reproduce", recording], capture_output=True, text=True)
        expected = 4 if row["situation"] in ONLY_NEAR else 0
        assert done.returncode == expected, done.stdout + done.stderr


CODES = "Microsoft Learn: Authentication and authorization error codes"
DOCUMENTS = ("Microsoft Learn: ", "MicrosoftDocs/SupportArticles-docs: ", "azure-sdk-for-python: ", "f-bader/")


def sources(row):
    return re.split(r"[;,] (?![^(]*\))", row["source"])


def is_documented_only(row):
    """Whether no source of a row shows a response of Entra."""
    return all(source.startswith(DOCUMENTS) for source in sources(row))


def shows_number_only(row):
    """Whether no source of a row shows more of the response than its number and sentence."""
    return all(source == CODES or source.endswith(")") for source in sources(row))


def test_the_page_is_written_from_the_table():
    def rows(kind):
        return [row for row in ROWS if {"?": "unknown", "!": "different"}.get(row["number"][:1], "known") == kind]

    known, different, unknown = rows("known"), rows("different"), rows("unknown")
    seen = [row for row in known if not is_documented_only(row)]
    lines = ["# Wrong requests", "",
             f"{len(known)} requests that Entra rejects, each with the public source of Entra's response, {len(different)} that SSOTerm rejects differently, and {len(unknown)} "
             "whose response is not known from public sources. `Tests/Clients/test_wrong_requests.py` sends each of them to `ssoterm serve` and compares the "
             "response; this page and the test come from `Tests/Clients/wrong_requests.tsv`. An empty field was not compared. "
             f"{len(seen)} responses were seen in public: a trace, a log, or a report of a real program. "
             f"The sentence of {sum(1 for row in known if row['sentence'])} is compared too. "
             f"The other {len(known) - len(seen)} are documented only. Where the source is Microsoft's page of codes, it gives the number and its meaning; "
             "what is in parentheses is SSOTerm's response, and not confirmed by a public source. “Page” means an "
             "error page, in which case nothing is sent to the app; “redirect” means that the error goes to the redirect URI.", "",
             "| request | situation | AADSTS | error | answer | suberror | evidence | source |", "|---|---|---|---|---|---|---|---|"]
    for row in known:
        where = row["form"] if row["form"].rstrip("?") in ("page", "redirect") else row["status"] or "JSON"
        cells = [row["request"], row["situation"], row["number"]]
        for cell in (row["error"], where.rstrip("?"), row["suberror"]):
            is_confirmed = not shows_number_only(row) and not (cell == where.rstrip("?") and where.endswith("?"))
            cells.append(cell if is_confirmed or not cell else f"({cell})")
        cells += ["documented" if is_documented_only(row) else "seen", row["source"]]
        lines.append("| " + " | ".join(cells) + " |")
    if different:
        lines += ["", "## Different", "", "SSOTerm rejects these with a different number than Entra.", "",
                  "| request | situation | AADSTS at Entra | source |", "|---|---|---|---|"]
    lines += [f"| {row['request']} | {row['situation']} | {row['number'][1:]} | {row['source']} |" for row in different]
    lines += ["", "## Not known", "", "SSOTerm rejects or accepts these too, but no public source says how Entra responds.", "",
              "| request | situation |", "|---|---|"]
    lines += [f"| {row['request']} | {row['situation']} |" for row in unknown]
    written(PAGE, lines)


def test_the_comparison_with_entra_is_written_from_the_tests():
    rows = table(DIFFERENCES)
    titles = {"same": "The same", "simplified": "Simplified", "missing": "Missing"}
    assert {row["kind"] for row in rows} == set(titles)
    lines = ["# How this differs from Entra", "",
             "A program that works with `ssoterm serve` should also work with Entra, and a request that Entra rejects should be rejected here. Each line of "
             "“The same” names a test that fails if it is no longer true. This page is written from "
             "`Tests/Clients/differences.tsv`. Rejected requests are listed one by one in [wrong-requests.md](wrong-requests.md), and the sources of Entra's "
             "behaviour in [behaviour/provider.md](behaviour/provider.md).", ""]
    for kind, title in titles.items():
        lines += [f"## {title}", "", "| area | | test |", "|---|---|---|"]
        for row in rows:
            if row["kind"] != kind:
                continue
            if row["test"]:
                path, name = row["test"].split(": ", 1)
                assert name in (ROOT / path).read_text(), f"{row['line']}: no {name} in {path}"
            assert row["test"] or kind != "same", row["line"]
            lines.append(f"| {row['area']} | {row['line']} | {row['test'] and '`' + row['test'] + '`'} |")
        lines.append("")
    known = [row for row in ROWS if row["number"][:1] not in ("?", "!")]
    lines.append(f"{len(known)} wrong requests are rejected as at Entra, and the responses to {len(ROWS) - len(known)} others are different or not known.")
    written(COMPARISON, lines)


def written(page, lines):
    """A page of the documentation, compared or, if asked for, written."""
    text = "\n".join(lines) + "\n"
    if os.environ.get("RECORD_WRONG_REQUESTS"):
        page.write_text(text)
    assert page.read_text() == text
