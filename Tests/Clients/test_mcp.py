"""The client of the Model Context Protocol's Python SDK, with a protected resource of the lab.

The resource is the API of an app registration (docs/behaviour/graph.md §3). Entra has no dynamic registration, and compares
`resource`, which the client sends, with the App ID URIs of the API: the outcome depends on the API's registration.
"""
import json, re, ssl, urllib.parse

import anyio, httpx2, pytest, requests
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

CALLBACK = "http://localhost/cb"


class Refused(Exception):
    """The error with which the provider sends the browser back."""


class Storage:
    """What the client would keep on disk."""

    def __init__(self, client_id):
        self.tokens, self.client = None, None
        if client_id:
            self.client = OAuthClientInformationFull(
                client_id=client_id, redirect_uris=[CALLBACK], token_endpoint_auth_method="none")

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Program:
    """A program that uses the SDK; its browser is signed in as the lab's first person."""

    def __init__(self, lab, client_id):
        self.lab, self.storage, self.asked = lab, Storage(client_id), []

    async def open(self, url):
        self.asked.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)))
        answer = requests.get(url, allow_redirects=False, timeout=60)
        self.back = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.headers["Location"]).query))

    async def result(self):
        if "error" in self.back:
            raise Refused(self.back["error"], self.back["error_description"])
        return AuthorizationCodeResult(code=self.back["code"], state=self.back["state"])

    async def call(self, url):
        async with self.client(url) as client:
            return await client.get(url)

    def client(self, url):
        auth = OAuthClientProvider(
            server_url=url, client_metadata=OAuthClientMetadata(client_name="Program", redirect_uris=[CALLBACK]),
            storage=self.storage, redirect_handler=self.open, callback_handler=self.result)
        trusted = ssl.create_default_context(cafile=self.lab.certificates)
        return httpx2.AsyncClient(auth=auth, verify=trusted, timeout=60)


@pytest.fixture
def server(labs):
    return labs("--approve", "auto:ada@contoso.com")


def resource(lab):
    return f"{lab.origin}/resource/{lab.confidential[0]}"


def call(program, url):
    return anyio.run(program.call, url)


def test_the_resource_says_where_its_document_is(server):
    url = resource(server)
    answer = requests.get(url, timeout=60)
    place = f"{server.origin}/.well-known/oauth-protected-resource/resource/{server.confidential[0]}"
    assert answer.status_code == 401 and f'resource_metadata="{place}"' in answer.headers["WWW-Authenticate"]
    document = requests.get(place, timeout=60).json()
    assert document["resource"] == url and document["bearer_methods_supported"] == ["header"]
    assert document["scopes_supported"] == [f"api://{server.confidential[0]}/user_impersonation"]
    [issuer] = document["authorization_servers"]
    assert requests.get(issuer + "/.well-known/openid-configuration", timeout=60).json()["issuer"] == issuer


def test_an_api_with_an_api_identifier_is_refused_before_any_page(server):
    program = Program(server, server.public)
    with pytest.raises(Refused) as refused:
        call(program, resource(server))
    error, description = refused.value.args
    assert error == "invalid_target" and description.startswith("AADSTS9010010: ")
    assert program.asked[0]["resource"] == resource(server)
    assert program.asked[0]["scope"].split()[0].startswith("api://")


def test_an_api_whose_identifier_is_its_url_is_called(server):
    url = resource(server)
    server.ssoterm("registration", "set", server.confidential[0], "identifierURIs=" + url)
    program = Program(server, server.public)
    answer = call(program, url)
    assert answer.status_code == 200 and answer.json()["accepted"] is True, answer.text
    assert program.asked[0]["resource"] == url and program.asked[0]["scope"].startswith(url + "/")
    # The second call uses the token that the program has.
    assert call(program, url).status_code == 200 and len(program.asked) == 1


def test_a_slash_at_the_end_of_the_identifier_is_refused(server):
    url = resource(server)
    server.ssoterm("registration", "set", server.confidential[0], f"identifierURIs={url}/")
    with pytest.raises((Refused, OAuthFlowError)):
        call(Program(server, server.public), url)


@pytest.mark.parametrize("identifier", ["api", "url"])
def test_the_published_server_is_refused_or_called_as_at_entra(labs, identifier):
    lab = labs("--approve", "auto:ada@contoso.com", "--mcp-resource", identifier)
    url = re.search(r"https://\S+/resource/\S+", lab.log.read_text()).group()
    program = Program(lab, lab.public)
    if identifier == "api":
        with pytest.raises(Refused, match="AADSTS9010010"):
            call(program, url)
    else:
        assert call(program, url).json()["accepted"] is True
        assert program.asked[0]["scope"].split()[0] == url + "/mcp.tools"


def test_the_published_server_has_a_tool(labs):
    lab = labs("--approve", "auto:ada@contoso.com", "--mcp-resource", "url")
    url = lab.json("serve", "env")["variables"]["SSOTERM_MCP_RESOURCE"]

    async def claims():
        program = Program(lab, lab.public)
        async with program.client(url) as client, streamable_http_client(url, http_client=client) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                [tool] = (await session.list_tools()).tools
                return json.loads((await session.call_tool(tool.name)).content[0].text)

    assert anyio.run(claims)["scp"] == "mcp.tools"


def test_there_is_no_dynamic_registration(server):
    with pytest.raises(OAuthRegistrationError):
        call(Program(server, None), resource(server))


def test_a_client_id_that_is_a_url_is_not_known(server):
    answer = requests.get(f"{server.origin}/contoso.com/oauth2/v2.0/authorize", {
        "client_id": "https://mcp.example/client.json", "response_type": "code", "redirect_uri": CALLBACK,
        "scope": "openid", "state": "s"}, allow_redirects=False, timeout=60)
    assert "Location" not in answer.headers and "AADSTS700016" in answer.text
