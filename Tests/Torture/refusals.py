"""Malformed requests to every endpoint of both listeners: each is rejected in the endpoint's own format, and the server
continues."""
import concurrent.futures, http.client, json, random, re, signal, ssl, tempfile, urllib.parse

from lab import PERSON, PASSWORD, Lab, ask, hold

CLIENT, CALLBACK = "04b07795-8ddb-461a-bbee-02f9e1bf7b46", "http://localhost/cb"
VALUES = ["", " ", "0", "-1", "9" * 40, "a" * 5000, "\x00", "\r\nX-Evil: 1", "\x1b[2J", "\u202e", "%", "%zz", "+", "../..", "{}", "[" * 200, "null",
          "eyJhbGciOiJub25lIn0.e30.", "a.b.c", "." * 300, "https://evil.example/cb", "javascript:alert(1)", "openid openid", "api://nowhere/x",
          "https://graph.microsoft.com/.default", "urn:ietf:params:oauth:grant-type:jwt-bearer", "none", "🦊", "common", PERSON]
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"]
HEADERS = [("Authorization", "Bearer x"), ("Authorization", "Basic !"), ("Authorization", "Basic " + "QQ==" * 50), ("Origin", "https://evil.example"),
           ("Cookie", "ESTSAUTH=x; __Host-esctx=y"), ("Cookie", "=" * 400), ("Content-Type", "application/json"), ("Content-Type", "text/plain"),
           ("X-Forwarded-For", "127.0.0.1"), ("client-request-id", "x" * 200), ("Accept", "x" * 3000), ("Sec-Fetch-Site", "cross-site")]
# The number in the text of the provider's refusals; Graph, Azure Resource Manager, machines, and AD FS have their own codes.
NUMBER = re.compile(rb"AADSTS[0-9]{5,7}")
OTHERS = ("/v1.0", "/metadata", "/msi", "/resource", "/federation", "/forged", "/tenants", "/subscriptions", "/oidc/userinfo",
          "/lab", "/adfs", "/common/oauth2/v2.0/register", "//common/oauth2/v2.0/register", "/0/oauth2/v2.0/register")


def endpoints(tokens, codes):
    """Yields (method, path, query, form or JSON, headers) of a valid or nearly valid request to each endpoint."""
    bearer, app = [("Authorization", "Bearer " + tokens["access_token"])], {"client_id": CLIENT}
    tenant = {"scope": "openid offline_access User.Read"}
    sign_in = {**app, **tenant, "response_type": "code", "redirect_uri": CALLBACK, "state": "s", "nonce": "n", "prompt": "none"}
    grants = [{"grant_type": "authorization_code", "code": "0.Cx", "redirect_uri": CALLBACK, "code_verifier": "a" * 43},
              {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
              {"grant_type": "password", "username": PERSON, "password": PASSWORD}, {"grant_type": "client_credentials"},
              {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": codes["device_code"]},
              {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": tokens["access_token"], "requested_token_use": "on_behalf_of"},
              {"grant_type": "client_credentials", "client_assertion": "a.b.c",
               "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}]
    yield from (("POST", f"/{authority}/oauth2/{version}token", {}, {**app, **tenant, **grant}, [])
                for authority in ("common", "contoso.com", "adfs") for version in ("v2.0/", "") for grant in grants)
    for version in ("v2.0/", ""):
        for method in ("GET", "POST"):
            fields = [sign_in, {}] if method == "GET" else [{}, sign_in]
            yield method, f"/common/oauth2/{version}authorize", *fields, []
        yield "POST", f"/contoso.com/oauth2/{version}devicecode", {}, {**app, **tenant}, []
        yield "GET", f"/common/oauth2/{version}logout", {"post_logout_redirect_uri": CALLBACK, "id_token_hint": tokens["id_token"]}, {}, []
    yield "POST", "/common/oauth2/deviceauth", {}, {"user_code": "XXXXXXXXX"}, []
    yield "POST", "/common/login", {}, {"flow": "x", "username": PERSON, "password": PASSWORD}, []
    yield "POST", "/common/consent", {}, {"flow": "x", "accept": "1"}, []
    for word in ("revoke", "introspect"):
        yield "POST", f"/common/oauth2/v2.0/{word}", {}, {**app, "token": tokens["refresh_token"], "token_type_hint": "x"}, []
    yield "POST", "/common/oauth2/v2.0/register", {}, {"client_name": "x", "redirect_uris": [CALLBACK]}, [("Content-Type", "application/json")]
    yield "POST", "/common/EnrollmentServer/device", {}, {"prt": "x", "serial": "y"}, []
    for path in ("/common/v2.0/.well-known/openid-configuration", "/common/.well-known/openid-configuration", "/common/discovery/v2.0/keys",
                 f"/common/userrealm/{PERSON}", "/federation/.well-known/openid-configuration", "/federation/keys", "/forged/keys",
                 "/lab/waiting", "/tfp/contoso.com/B2C_1_x/v2.0/.well-known/openid-configuration"):
        yield "GET", path, {"api-version": "2.0", "id": "x"}, {}, []
    yield "GET", "/common/discovery/instance", {"authorization_endpoint": "https://localhost/common", "api-version": "1.1"}, {}, []
    for path in ("/tenants", "/subscriptions", "/common/openid/userinfo", "/oidc/userinfo"):
        yield "GET", path, {"api-version": "2022-12-01"}, {}, bearer
    yield "GET", "/resource", {"audience": "https://graph.microsoft.com", "scope": "User.Read", "role": "x"}, {}, bearer
    for path in ("me", "users", f"users/{PERSON}", "groups", "groups/x/members", "me/memberOf", "me/appRoleAssignments", "x"):
        yield "GET", "/v1.0/" + path, {"$top": "1", "$select": "id", "$skiptoken": "eA"}, {}, bearer
    for path in ("me/getMemberObjects", "me/revokeSignInSessions"):
        yield "POST", "/v1.0/" + path, {}, {"securityEnabledOnly": False}, bearer + [("Content-Type", "application/json")]


MACHINE = ("GET", "/metadata/identity/oauth2/token", {"api-version": "2018-02-01", "resource": "https://vault.azure.net", "client_id": "x"}, {},
           [("Metadata", "true")])


def varied(source, request):
    """Returns the request with some parts changed; it is still HTTP, so it gets a response."""
    method, path, query, fields, headers = request
    query, fields, headers = list(query.items()), list(fields.items()), list(headers)
    for _ in range(source.randint(0, 4)):
        pairs = source.choice([query, fields])
        kind = source.randrange(7)
        if kind == 0 and pairs: del pairs[source.randrange(len(pairs))]
        elif kind == 1 and pairs: pairs.append(source.choice(pairs))
        elif kind == 2 and pairs:
            place = source.randrange(len(pairs))
            pairs[place] = (pairs[place][0], source.choice(VALUES))
        elif kind == 3: pairs.append((source.choice(["claims", "prompt", "max_age", "resource", "response_mode", "code_challenge", "id_token_hint"]),
                                      source.choice(VALUES)))
        elif kind == 4: method = source.choice(METHODS)
        elif kind == 5: headers.append(source.choice(HEADERS))
        elif kind == 6: path = source.choice([path + "/", path + "/x", path.upper(), "/" + path, path.replace("common", source.choice(VALUES[:9])), path + "%00"])
    if any(name.lower() == "content-type" and "json" in value for name, value in headers):
        body = json.dumps(dict(fields)).encode()
    else:
        body = urllib.parse.urlencode(fields).encode()
        headers.append(("Content-Type", "application/x-www-form-urlencoded"))
    target = urllib.parse.quote(path, safe="/%@") + ("?" + urllib.parse.urlencode(query) if query else "")
    return method, target, body if method not in ("GET", "HEAD") else b"", headers


def send(port, is_plain, request):
    """Returns the status and the body of the response, or None if the connection was closed without one."""
    method, target, body, headers = request
    kind = http.client.HTTPConnection if is_plain else http.client.HTTPSConnection
    more = {} if is_plain else {"context": ssl._create_unverified_context()}
    line = kind("localhost", port, timeout=30, **more)
    try:
        line.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers:
            line.putheader(name, value.encode("utf-8", "replace").translate(None, b"\r\n\x00"))
        line.putheader("Content-Length", str(len(body)))
        line.endheaders(body)
        answer = line.getresponse()
        return answer.status, answer.read(), answer.headers
    except (http.client.HTTPException, ConnectionError, ValueError) as error:
        return None, str(error).encode(), {}
    finally:
        line.close()


def judge(request, is_plain, answer):
    """Returns the problem with the response, or None."""
    method, target, body, headers = request
    status, text, fields = answer
    if status is None:
        return f"no answer: {text}"
    if status >= 500:
        return f"{status}"
    if re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", text):
        return "a control character"
    if status < 400 or is_plain or method in ("HEAD", "OPTIONS") or status in (404, 413, 414, 421, 431):
        return None
    path = urllib.parse.unquote(target.split("?")[0]).lower()
    if not NUMBER.search(text) and not any(path.lstrip("/").startswith(other.lstrip("/")) for other in OTHERS):
        return f"{status} without a number: {text[:300]!r}"
    if "json" in fields.get("Content-Type", ""):
        json.loads(text)
    return None


def explained(lab, count):
    """Each recorded refusal has the check that refused it."""
    traces = [trace for trace in json.loads(lab.run("trace", "list", "--json", wants=(0,)).stdout)["traces"] if trace["verdict"] == "failed"]
    hold(len(traces) > 5, "nothing was refused")
    for trace in traces[:count]:
        hops = json.loads(lab.run("trace", "show", trace["id"], "--json", wants=(0,)).stdout)["hops"]
        hold(any(check["verdict"] == "failed" for hop in hops for check in hop["checks"]), f"no check refused {trace}")


def refusals(source, quick):
    rounds = 300 if quick else 50_000
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        lab.run("status", "--create", wants=(0,))
        server, port = lab.serve(more=("--managed-identity", "imds", "--generic"))
        machine = json.loads(lab.run("serve", "env", "--json", wants=(0,)).stdout)["variables"]["AZURE_POD_IDENTITY_AUTHORITY_HOST"]
        machine = int(machine.rsplit(":", 1)[1])
        grant = {"client_id": CLIENT, "scope": "openid offline_access User.Read User.Read.All Group.Read.All"}
        tokens = ask(port, "/contoso.com/oauth2/v2.0/token", {**grant, "grant_type": "password", "username": PERSON, "password": PASSWORD})
        known = list(endpoints(tokens, ask(port, "/contoso.com/oauth2/v2.0/devicecode", grant)))

        def one(seed):
            local = random.Random(seed)
            is_plain = local.random() < 0.1
            request = varied(local, MACHINE if is_plain else local.choice(known))
            return request, judge(request, is_plain, send(machine if is_plain else port, is_plain, request))

        with concurrent.futures.ThreadPoolExecutor(8) as senders:
            for first in range(0, rounds, 200):
                seeds = [source.randrange(1 << 62) for _ in range(min(200, rounds - first))]
                for request, wrong in senders.map(one, seeds):
                    hold(not wrong, f"{wrong}\n  {request!r}")
                hold(server.poll() is None, f"the server ended: {server.returncode}")
        explained(lab, 25 if quick else 500)
        server.terminate()
        hold(server.wait(timeout=30) in (0, -signal.SIGTERM), "the server does not end")
        lab.check()
    print(f"  {rounds} requests to {len(known)} endpoints and a machine's")
