/// OAuth error words and suberrors of the provider (RFC 6749 §4.1.2.1, §5.2; fact sheet §4.1).
let oauthTable = """
  invalid_request | | The request is malformed. | A parameter is missing or repeated; the AADSTS number says which. | Compare the request in the trace with what the provider expects.
  invalid_client | | The client is unknown, or its secret is wrong. | An unregistered client ID, or a redirect URI of another client at the token endpoint. | Compare with the registration.
  invalid_grant | | The code or refresh token is not taken. | Expired, revoked, used before, or of another client. | In a silent call MSAL gives -50002: sign in again.
  invalid_scope | | A scope is malformed or of several resources. | AADSTS70011 or AADSTS28000. | Ask for scopes of one resource.
  unauthorized_client | | The client may not use this flow. | Not allowed in the registration, or a policy wants app protection. | Look at the suberror.
  unsupported_grant_type | | The token endpoint does not know this grant. | A misspelt grant_type. | Use a grant of the discovery document.
  unsupported_response_type | | The authorize endpoint does not know this response type. | Another one than code. | Use code with PKCE.
  access_denied | | The person, or a policy, said no. | Consent refused or the sign-in was cancelled. | MSAL gives -50005.
  server_error | | The server failed. | A fault of the provider. | Try again later.
  temporarily_unavailable | | The server is busy. | A fault of the provider. | Try again later.
  interaction_required | | A person is needed. | A policy or consent stands in the way of a silent request. | Sign in interactively with the claims of the answer.
  login_required | | Nobody is signed in. | prompt=none without a session. | Sign in.
  consent_required | | The person has not consented. | prompt=none, or a refresh with a new scope. | Ask interactively.
  account_selection_required | | Several people are signed in. | prompt=none with more than one session. | Send login_hint, or show the picker.
  invalid_tenant | | The tenant does not exist. | AADSTS90002. | Correct the authority.
  invalid_instance | | The host is not known. | Instance discovery; AADSTS50049. | Correct the authority.
  authorization_pending | | The person has not answered yet. | A device-code client polled too early. | Poll again after the interval.
  slow_down | | The client polls too often. | A device-code client. | Add five seconds to the interval.
  expired_token | | The device code is over. | Nobody answered in time. | Start again.
  authorization_declined | | The person said no to the device code. | Esc in the picker or consent. | Nothing.
  bad_token | | The refresh token is not one. | Marked invalid by hand, or of another provider. MSAL deletes it. | Sign in again.
  client_mismatch | | The family refresh token is not for this client. | The client is not in family 1. MSAL notes it in the app metadata. | Nothing: the app's own token is used from now on.
  user_account_deleted | | The account no longer exists. | It was removed from the directory. MSAL removes the account from the cache. | Sign in with another account.
  protection_policy_required | | Intune app protection is required. | A policy of the tenant. MSAL gives -50004. | Enrol with the Intune SDK.
  token_expired | | The refresh token is over. | Too long unused. | Sign in again.
  additional_action | | Something has to be done outside of the sign-in. | A policy about device or broker. | Register the device, make it compliant, or install the broker.
  message_only | | Nothing the person does in the sign-in helps. | A policy about the app. | Meet the policy, or change it.
  basic_action | | A simple action of the person resolves it. | Multi-factor or a terms page. | Sign in interactively.
  bad_verification_code | | The device code is not one. | A mistyped user code, or a device code of another provider. | Start again on the device.
  invalid_token | | The access token is not taken. | Expired, of another provider, or for another API. | Get a token for this API.
  insufficient_scope | | The access token may not do this. | A scope is missing: openid for user info. | Ask for the scope.
  unsupported_token_type | | This kind of token cannot be revoked. | An access token at the revocation endpoint. | Revoke the refresh token.
  invalid_redirect_uri | | A redirect URI cannot be registered. | Neither https, nor http on loopback, nor a scheme with a dot in it. | Correct it.
  invalid_client_metadata | | A client cannot be registered like this. | The description names the field. | Correct it.
  request_not_supported | | Request objects are not read. | An authorization request with request=. | Send its fields one by one.
  request_uri_not_supported | | Request objects are not fetched. | An authorization request with request_uri=. | Send its fields one by one.
  """

/// Entra's numbers, as the provider here uses them.
let aadstsTable = """
  AADSTS16000 | InteractionRequired | Several sessions, and one must be chosen. | prompt=none with more than one person signed in. | Send login_hint or show the picker.
  AADSTS28000 | | Scopes of several resources in one request. | Two resources in scope. | One call for each resource.
  AADSTS50011 | | The redirect URI is not registered for this client. | The one in the request differs from the registration, by case, path or scheme, or belongs to another bundle ID. | Add it to the registration exactly as the app sends it: msauth.<bundle ID>://auth.
  AADSTS500112 | | The redirect URI differs from the authorize request's. | The token request sends another redirect_uri. | Send the same one twice.
  AADSTS50020 | | The account is not in this tenant. | A person of another tenant who is no guest here. | Invite them, or use organizations or common.
  AADSTS50034 | | The account does not exist. | A mistyped username. | Check it: the lab's people are in ssoterm status.
  AADSTS50049 | | The instance is not known. | Another host than the clouds'. | Correct the authority.
  AADSTS50057 | | The account is disabled. | Blocked in the directory. | Unblock it.
  AADSTS50058 | | Nobody is signed in, and prompt=none. | No session cookie. | Sign in interactively.
  AADSTS50076 | | Multi-factor authentication is required. | A policy, or a fault. | Sign in interactively.
  AADSTS50089 | | The sign-in took too long. | The flow's token is over. | Start again.
  AADSTS50126 | | Username or password is wrong. | A mistyped password. | Try again.
  AADSTS50147 | | The code challenge cannot be used. | PKCE without S256, or a malformed challenge. | Send code_challenge_method=S256.
  AADSTS501481 | | The code verifier does not fit the challenge. | Another verifier, or none. | Send the verifier of the same request.
  AADSTS501491 | | The code challenge has a wrong length. | Not 43 to 128 characters. | Send the Base64URL of a SHA-256.
  AADSTS50173 | | The refresh token was revoked. | The password was changed, or an administrator revoked all sessions. | Sign in again.
  AADSTS50194 | | The application is for one tenant, and common was used. | A single-tenant registration. | Use the tenant's own authority.
  AADSTS500121 | | Multi-factor authentication failed. | A wrong code, or it was refused. | Try again.
  AADSTS53000 | | The device must be compliant. | Conditional Access. | Sign in through the broker, on a managed device.
  AADSTS50127 | BrokerAppNotInstalled | The app needs the broker to vouch for it. | A policy wants an approved or protected app, and the app asked by itself. | Install the broker, and let the app use it.
  AADSTS50129 | DeviceIsNotWorkplaceJoined | The device is not registered. | A policy wants a registered device, and only the broker brings its ID. | Sign in through the broker.
  AADSTS53002 | ApplicationUsedIsNotAnApprovedApp | The app is not on the list of approved apps. | A policy of the tenant. | Use an approved app, or change the policy.
  AADSTS53005 | | Intune app protection is required, and the app is not enrolled. | A policy of the tenant. MSAL gives -50004. | Enrol the app: ssoterm enroll APP --account USER.
  AADSTS53001 | | The device must be joined. | Conditional Access. | Register the device with the broker.
  AADSTS53003 | | Conditional Access blocks this. | A policy of the tenant. | Meet the policy or change it.
  AADSTS53009 | | Intune app protection is required, and the app cannot do it. | A policy of the tenant, and no client capability ProtApp. | Sign in through the broker, with the Intune SDK and the capability ProtApp.
  AADSTS54005 | | The code was used before. | A code can be redeemed once. | Start again; look for a program that sends twice.
  AADSTS65001 | | Nobody has consented. | A scope without consent, in a silent request. | Ask interactively.
  AADSTS65004 | | The person declined to consent. | Cancel at the consent page. | Ask again, and say why.
  AADSTS70000 | | The grant is not valid. | A code or token that is unknown, revoked or of another client. | Sign in again.
  AADSTS70008 | | The code or refresh token is over. | Too old. | Sign in again.
  AADSTS70011 | | A scope is not valid. | A scope that the resource does not have. | Correct the scope.
  AADSTS700016 | | The application is not in this tenant. | An unregistered client ID. | Compare with the registration.
  AADSTS700051 | | The response type is not enabled. | Another response type than code. | Use code with PKCE.
  AADSTS700082 | | The refresh token is over because it was not used. | 90 days without use. | Sign in again.
  AADSTS70003 | | The grant type is not supported. | A misspelt grant_type. | Use a grant of the discovery document.
  AADSTS7000215 | | The client secret is wrong. | A confidential client. | Use the secret's value, not its ID.
  AADSTS7000218 | | The client must authenticate. | A confidential client without secret or assertion. | Send one, or register a public client.
  AADSTS90002 | | The tenant does not exist. | A mistyped tenant. | Correct the authority.
  AADSTS90014 | | A parameter is missing. | The description names it. | Send it.
  AADSTS90023 | | The request is not valid. | A parameter with a value that cannot be. | Compare with the documentation.
  AADSTS90094 | | An administrator must consent. | A scope only an administrator may grant. | Ask an administrator.
  AADSTS900144 | | A parameter is missing from the body. | The description names it. | Send it.
  AADSTS9002313 | | The request is malformed. | A response mode or code challenge method that does not exist. | Send S256, and query, fragment or form_post.
  AADSTS50013 | | The assertion is not valid. | On-behalf-of with a token of another provider, or a broken one. | Send the access token that the API received, unchanged.
  AADSTS500131 | | The assertion is for another API. | On-behalf-of with a token whose audience is not this client. | Ask for a scope of api://<client ID> first.
  AADSTS500133 | | The assertion is over. | On-behalf-of with an expired access token. | Let the caller get a new one.
  AADSTS50027 | | The client assertion is no token. | A text that is no JSON web token. | Sign a JWT with the registered key.
  AADSTS50059 | | The tenant is not known. | An app's own token was asked at common. | Use the tenant's own authority.
  AADSTS70016 | | The person has not answered yet. | A device-code client polls; slow_down: too often. | Poll again after the interval.
  AADSTS70018 | | The code is not known. | A mistyped user code, or a device code of another provider. | Type it again, or start again.
  AADSTS70019 | | The user code is over. | More than 15 minutes passed. | Start again on the device.
  AADSTS70020 | | The device code is over. | More than 15 minutes passed. | Start again.
  AADSTS700021 | | The client assertion speaks for another client. | Its iss and sub are not the client ID. | Set both to the client ID.
  AADSTS700023 | | The client assertion is for somebody else. | Its aud is not the token endpoint. | Set aud to the token endpoint.
  AADSTS700024 | | The client assertion is not valid now. | Expired, without exp, or the clocks differ by more than five minutes. | Sign a new one; look at the clock.
  AADSTS700025 | | The client is public and sent a proof. | A secret or assertion of a client without either. | Leave it out, or register a secret.
  AADSTS700026 | | The client has no key. | An assertion of a client that has none registered. | Register its public key.
  AADSTS700027 | | The client assertion is signed by another key. | The signature fits none of the registered keys. | Sign with the registered key, RS256 or PS256.
  AADSTS7000114 | | Nobody to act on behalf of. | On-behalf-of with an app's own token. | Send the token of a person.
  AADSTS90120 | | The code was answered before. | The device's request was approved or declined. | Start again on the device.
  AADSTS900561 | | The method is not allowed. | A GET where only POST is taken. | Send a POST.
  AADSTS1002012 | | The scope of an app's own token is not valid. | A scope without /.default. | Ask for RESOURCE/.default.
  AADSTS90015 | QueryStringTooLong | The authorization request is too long. | More than 16 384 bytes of fields: a state or claims beyond measure. | Keep the state in the program, and send a key to it.
  AADSTS9000411 | InvalidRequestFormatDuplicatedParameter | A parameter stands twice in the request. | Two pieces of a program add the same one. | Send each once; the description names it.
  AADSTS9002325 | | PKCE is required. | A request for a code without code_challenge. | Send code_challenge with S256.
  """
