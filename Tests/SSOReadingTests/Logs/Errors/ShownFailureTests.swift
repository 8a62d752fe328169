import SSOCore
import SSOReading
import Testing

/// The evidence that a call failed: the form of what a program printed, a server's answer, or the report of a person; any other
/// text only mentions the errors in it.
@Suite struct ShownFailureTests {
  @Test(arguments: [
    // A guide, whose examples have the form of an answer or of a log.
    "Your lamp may have several wicks. You may see the following error if it cannot tell them apart:\n\n"
      + "```txt\nLampAuthError: interaction_required: AADSTS16000: The lamp has several wicks.\n```\n\n"
      + "Pass the hint of the wick that you want.\nThe lamp keeps it.\nYou can remove it later.",
    "## Troubleshooting the lamp\n\n### AADSTS500133: the oil is too old\n\n**Cause:** Your lamp keeps oil for days.\n\n"
      + "**Solution:** Ask for new oil before each call.\n\n### AADSTS65001: no consent\n\n"
      + "**Cause:** Nobody has agreed.\n\n**Solution:** Ask an administrator of your house.",
    "# Lamps of the house\n\nThe lamp asks for oil silently first.\n\n- If the answer is `interaction_required`, it shows a window.\n"
      + "- If the answer is `invalid_grant`, it forgets the oil.\n- Any other answer ends the call.\n\n"
      + "Both kinds are written to the book.\nThe book is kept for a week.",
    "In some cases, you may receive an error when you try to light the lamp with a certificate, such as the "
      + "`AADSTS700027: Client assertion is not signed` error, which means that the key is malformed.",
    // Code with a comment of a person, a description of an interface, and data.
    "lamps = wick.find(\n  oil,\n)\n# We get here after interaction_required\nif lamps.error == \"invalid_grant\":\n"
      + "  wick.forget(oil)\n  return None\nelse:\n  wick.light(oil)\n  return lamps\n",
    "LampError:\n  type: object\n  properties:\n    error:\n      type: string\n      description: One of these\n"
      + "        - invalid_request\n        - unauthorized_client\n        - access_denied\n    code:\n      type: integer\n",
    "<issue id=\"Lamp\">\n  <class name=\"MsalLampException\"/>\n  <bug pattern=\"MsalClientException\"/>\n"
      + "  <note>invalid_grant is not handled</note>\n  <line>12</line>\n</issue>\n",
    // What a change does, and a plan.
    "The lamp now keeps its window open after AADSTS50076 and waits for the second wick\n\nBefore, the window closed at once.\n"
      + "The wick is looked up in the house first.\nA lamp without a house keeps the old way.\nThe book has a page on it.",
    // A heading that reports have too.
    "# Errors\n\nWhen the user has no wick, the lamp answers `AADSTS50105`. You should give them one.\n\n## More\n\n"
      + "- AADSTS50020: the user is of another house\n- AADSTS700016: no lamp\n\nIf you see AADSTS50011, add the address.",
    "The second lamp of the hall has to survive AADSTS7000222 without a person in the house.",
    // Tables, catalogues, and specifications.
    "code,lamp,severity,message\n50011,NoHall,error,\"AADSTS50011: The lamp has no hall.\"\n"
      + "50076,SecondWick,warning,\"AADSTS50076: The lamp asks for a wick.\"\n53003,Dark,error,\"AADSTS53003: No light.\"",
    "Lamp events\n\nNumber Title\n1081 OAuth response error: Lamp_error. N\n1082 Key error: Wick_error. N\n1098 Error: Lamp_code. N",
    "### 5.2. Lamps\n\nerror\n  REQUIRED. One of these words:\n\n  invalid_request\n    The lamp is missing.\n  invalid_client\n"
      + "    The hall is unknown.\n  invalid_grant\n    The oil is old.\n\n  HTTP/1.1 400 Bad Request\n\n  {\n    \"error\":\"invalid_request\"\n  }",
    "### Lamp_resolution_error\n\n**Message**: Error: no lamp was found.\n\nIt is thrown in this case:\n\n"
      + "1. Check the wick. ClientAuthError: `openid_config_error`: no lamp",
    "SigninLogs\n| where ResultType in (\"50126\", \"50053\")\n| summarize Failed = count() by Lamp, Wick",
    // The template of a message.
    "Show when the oil of the oauth lamp cannot be had:\n\n```\n\"lamp(%s) error: the wick answered %d\", lamp.Name(), wick\n```",
    // What is over: tests that passed, a try that was repeated, and a failure of the past.
    "  Passed Lamp.Wick [12 ms]\n  Standard Output Messages:\n MsalServiceException: AADSTS50034: No such lamp (of the mock).\n\n"
      + "Test Run Successful.\nTotal tests: 1",
    "2026-11-20 09:41:00 WARN  Token request failed with 503, again in 1 s: temporarily_unavailable\n"
      + "2026-11-20 09:41:02 INFO  Token request succeeded\n2026-11-20 09:41:02 INFO  Lamps lit: 0 errors, 12 lamps",
    "[2026-11-20T09:41:00Z] WARN  lamp: silent: login_required: AADSTS50058: No lamp is lit. Opening the window.\n"
      + "[2026-11-20T09:41:09Z] INFO  lamp: window closed, token received",
    "We have new lamps. Before, we got \"AADSTS70008: The oil has expired\"; since the update it has not happened again.",
    "AADSTS50058 usually points to the cookies of the lamp.",
    // A table of MediaWiki, a form, a solved incident, a list of what is usual, and a page that a program made of comments.
    "== Numbers of the lamp ==\n\n{| class=\"wikitable\"\n! Number !! Meaning !! What to do\n|-\n"
      + "| AADSTS50011 || Die Lampe steht im falschen Saal || Saal eintragen\n|-\n"
      + "| AADSTS50105 || Niemand darf sie anzünden || fragen\n|}",
    "### Before you write\n\n- Did you read the [page of the lamp](lamp.md)?\n\n"
      + "**Error message** (for example `AADSTS700016: Application with identifier … was not found`):\n\n**Lamp:**",
    "Resolved: nobody could light the lamp (LA-12)\nOpened 20 Nov 09:12, closed 20 Nov 10:05\n"
      + "Symptom: AADSTS90033 \"A transient error has occurred. Please try again.\"\nSolution: none of ours.",
    "Lamps that stay dark\n\n  • 4lamp: Often together with the message “AADSTS500014: The lamp of the hall is disabled.”",
    "When the lamp shows 0xCAA5001C, the broker of the hall usually is broken.",
    "The house has some articles on event 1098 Error 0xcaa5001c .",
    "{\"schemaVersion\":{\"major\":0},\"kind\":\"symbol\",\"abstract\":[{\"text\":\"The oauth lamp failed to store credentials\"}]}",
    "oauth lamp\nexport const lamp = createLamp({\n  user: undefined,\n  authProvider: undefined\n});",
    "Level: Information   Event ID: 1128   Source: AAD\n"
      + "Description: AadCloudAPPlugin Lamp: the token of the lamp was renewed. Status: 0x0.",
    "MSAL lamp\nCredStore - performQuery - Error copying matching creds.  Error=-25300, query={ class = inet; }",
    // The example of a change, a table, a mail that says that all is well, and a template.
    "Log the number when the lamp fails\n\nBoth halls caught the failure and threw a general one.\n\nExample output with a lamp:\n\n"
      + "    Silent oil failed: invalid_grant / bad_lamp: AADSTS70000: The lamp could not be lit as the grant is expired.\n\n"
      + "Diagnostics only; the lamp is unchanged.",
    "|Error message|Description|Mitigation|\n|---|---|---|\n|The lamp failed due to a gateway error|No hall.|Open it.|\n"
      + "|Please run 'az login' to setup account|No lamp.|Light it.|",
    "That was the change of the oauth lamp that we announced; nothing has failed.",
    "{% trans \"Third-Party Login Failure\" %}",
  ])
  func aMentionIsNotAsserted(_ text: String) {
    let verdict = readLog(text + "\n").verdict
    #expect(verdict == nil, "\(verdict?.cause ?? "")")
  }

  @Test(arguments: [
    (
      "Since the lamp moved, lighting it does not work. Steps:\n1. Open the hall\n2. Press the switch\n\n```\n"
        + "AADSTS50011: The redirect URI 'https://lamp.example' specified in the request does not match.\n```\n\n"
        + "It worked for us in the old house.\nCan you tell which address you expect?", "AADSTS50011"
    ),
    (
      "**Describe the bug**\nThe lamp does not light.\n\n**Expected behavior**\nIt lights.\n\n**Actual behavior**\n"
        + "MsalServiceException: AADSTS65001: The user or administrator has not consented.\n\n**Environment**\n- hall 3",
      "AADSTS65001"
    ),
    (
      "lamp {\n  wick = 1\n}\n\nhall {\n  lamp = 2\n}\n\n$ lamp light\n"
        + "Error: AADSTS7000215: Invalid client secret provided.", "AADSTS7000215"
    ),
    (
      "lightLamp(hall:)\nshowLamp()\nerror Optional(\"The operation couldn’t be completed. (MSALErrorDomain error -50000.)\")\n"
        + "We see this when the lamp opens.\nlightLamp(hall:)\nshowLamp()", "-50000"
    ),
    (
      "AADSTS700016: Application with identifier '5a1e2c3d-9b7f-4e21-8c55-0d1f2a3b4c5d' was not found in the directory.\n\n"
        + "Please look at the lamp.", "AADSTS700016"
    ),
    // What a program was given before it failed, and tables that programs print.
    (
      "Run lamp/light@v2\n  with:\n    client-id: 11112222-bbbb-3333-cccc-4444dddd5555\n    house-id: hall\n    lamps: 2\n"
        + "    audience: lamp\n  env:\n    WICK: 1.7.2\n    OIL: /hall/oil\nLighting the lamp.\n issuer - https://lamp.example\n"
        + "Error: AADSTS700213: No matching federated identity record found for presented assertion subject.",
      "AADSTS700213"
    ),
    (
      "                AzureAdPrt : NO\n     AcquirePrtDiagnostics : PRESENT\n            Attempt Status : 0xc000006d\n"
        + "               HTTP Method : POST\n               HTTP status : 400\n         Server Error Code : invalid_grant\n"
        + "  Server Error Description : AADSTS50126: Error validating credentials due to invalid username or password.",
      "AADSTS50126"
    ),
    (
      "Light-Lamp : AADSTS50076: The lamp asks for a second wick.\nAt line:1 char:1\n+ Light-Lamp -Hall 3\n+ ~~~~~~~~\n"
        + "  + CategoryInfo          : CloseError: (:) [Light-Lamp], LampException\n"
        + "  + FullyQualifiedErrorId : Lamp.Light\n\n",
      "AADSTS50076"
    ),
    ("Lampe: Anmeldung fehlgeschlagen, Fehlercode 50126", "AADSTS50126"),
    // Entra's sentences without their numbers, and a number without a colon.
    (
      "Due to a change in the hall, you must use multi-factor authentication to access 'lamp'.", "AADSTS50076"
    ),
    ("Invalid client secret provided. Ensure the secret being sent is the lamp's.", "AADSTS7000215"),
    ("The refresh token has expired due to inactivity. It was issued to the lamp in May.", "AADSTS700082"),
    ("AADSTS7000215 Invalid client secret is provided", "AADSTS7000215"),
    ("Pojawia się AADSTS50105 w lampie.", "AADSTS50105"),
    // PowerShell's message is above the class.
    (
      "Connect-ExchangeOnline lights no lamp:\n\nCannot find an overload for \"LightAsync\" and the argument count: \"4\".\nAt C:\\lamp.psm1:87 char:17\n"
        + "+ ...  $oil = $authContext.LightAsync($lamp ...\n+             ~~~~~~~~~~\n"
        + "    + CategoryInfo          : NotSpecified: (:) [], MethodException\n"
        + "    + FullyQualifiedErrorId : MethodCountCouldNotFindBest",
      "Cannot find an overload for \"LightAsync\" and the argument count: 4"
    ),
    (
      "lamp.auth: io.jsonwebtoken.IncorrectClaimException: Expected aud claim to be: lamp, but was: hall.",
      "Expected aud claim to be"
    ),
    // A condition, an explanation, and a file of settings do not take away what a program printed.
    (
      "Wondering if you have seen this `unauthorized_client` of the lamp.\n\nMy hall is right.\n\n```\n"
        + "E, [2026-11-20T09:41:07.658856 #90] ERROR -- lamp: (hall) Failure! AADSTS70001: Application 'x' is not supported.\n```",
      "AADSTS70001"
    ),
    (
      "@ada I looked into the lamp and see this:\n`\"error_description\\\":\\\"AADSTS50012: Invalid client secret is provided`. "
        + "It looks like you gave the lamp an old secret.", "AADSTS50012"
    ),
    (
      "The lamp stays dark? `Nov 20 09:41:07 hall lamp[12]: lvl=eror msg=\"oauth\" error=\"Get : unsupported lamp scheme\"`\n\n"
        + "`[lamp.oauth]\nname = Hall\nenabled = true\nscopes = openid\nlamp_id = 1\nhall_url = https://hall.example\n"
        + "wick = 3\noil =\nallowed =`", "unsupported lamp scheme"
    ),
    (
      "I'm lighting a lamp with OIDC. When it stays dark, for example because nobody may light it, there is no reason.\n\n"
        + "However, when the hall sends me back, it says so:\n\n"
        + "`https://lamp.example/back?state=*&error=access_denied&error_description=Lee+is+not+assigned+to+the+lamp.`",
      "access_denied: Lee is not assigned to the lamp"
    ),
    (
      "The oil of the oauth lamp:\n\n`{\"error\":{\"code\":\"LA_HallPipeline_Client_OAuthTokenRefreshFailedError\",\"more\":1}}`",
      "LA_HallPipeline_Client_OAuthTokenRefreshFailedError"
    ),
    // A name within the known sentence of a program, a library's number in the middle of a line, and the inner of two errors.
    (
      "The wick is bad. Exception during 'Light' converted from Unexpected to InteractionRequired. "
        + "Original context: 'WIA can only be used for federated accounts, but this lamp was Managed'",
      "WIA can only be used for federated accounts"
    ),
    (
      "The lamp of the hall is set, then await lamp.LightAsync(hall) throws IDW10502: An MsalUiRequiredException was thrown.",
      "IDW10502"
    ),
    (
      "Error: Failed to get lamp consent: idpiframe_initialization_failed.", "idpiframe_initialization_failed"
    ),
    ("lamp.Failure: {\"Lamp\":\"0\",\"XErr\":2148916233,\"Message\":\"\"}", "2148916233"),
    ("login of the lamp failed with error code 65001 and nothing else", "AADSTS65001"),
    (
      "time=2026-11-20T09:41:07.123Z level=ERROR msg=\"lamp\" err=\"oidc: cannot fetch token: the oil is missing\" wick=10.0.0.1",
      "the oil is missing"
    ),
    // What someone quotes after other names, a list of PowerShell, a member without a space, and a sentence of another language.
    (
      "I chose `imap.lamp.example`, 993, and tapped Next. It says `OAuth 2.0 is not configured for this lamp`.",
      "OAuth 2.0 is not configured for this lamp"
    ),
    (
      "Exception      : Azure.Identity.AuthenticationFailedException\nInvocationInfo : {Light-Lamp}\nLine           : light-Lamp\n"
        + "HistoryId      : 1\n\nMessage        : User canceled authentication.\n"
        + "StackTrace     :    at Microsoft.Identity.Client.Lamp.Light(Wick wick)",
      "authentication_canceled"
    ),
    (
      "Custom policies. Your page does not have this one:\n\nAADB2C99001 This+user+already+exists%2c+and+profile+Lamp+does+not+create+it",
      "AADB2C99001"
    ),
    ("用 msal 点灯，弹出的框提示 0xCAA80000 错误。", "0xCAA80000"),
    ("1. 点灯\n2. 打开网页\n3. 灯提示Domain=MSALErrorDomain Code=-50000\n4. 灯灭了", "-50000"),
    (
      "0x801C0003 - Ask the keeper of the hall to light the lamp.\n\nThe lamp of the hall stays dark.",
      "0x801C0003"
    ),
    (
      "The permissions of the lamp:\n\n```xml\n<Lamps>\n  <Lamp right=\"all\" />\n</Lamps>\n```\nNow:\n"
        + "x-ms-diagnostics:\"3000006;reason=\"Token contains invalid signature.\";category=\"invalid_client\"\"",
      "Token contains invalid signature"
    ),
    // A refused call in someone's own words, and the sentence of a description in another one.
    (
      "The lamp is an App Service. The browser comes to https://lamp.example/oauth2/callback?code=0.A# and gets 401 Unauthorized.",
      "HTTP 401 from https://lamp.example/oauth2/callback"
    ),
    (
      "I get a 401 on return for https://lamp.example/.auth/login/aad/callback",
      "HTTP 401 from https://lamp.example/.auth/login/aad/callback"
    ),
    (
      "Built in the yard the app shows the question of the lamp. Built in the hall there is only: Authorisation error. "
        + "org.openid.appauth.general error -3", "org.openid.appauth.general error -3"
    ),
    (
      "Our users see the error \"oauth state does not match\" now. Should the lamp be lit instead of showing it?",
      "oauth state does not match"
    ),
    // The program that failed says more than the one that called it.
    (
      "$ lamp light\nError: failed to create azidentity credential: the lamp of the house cannot be empty\n"
        + "E1120 09:41:07.245322      67 lamp.go:265] \"Unhandled Error\" err=\"no list of lamps: getting credentials: exec: "
        + "executable kubelogin failed with exit code 1\"",
      "the lamp of the house cannot be empty"
    ),
    (
      "Nov 20 09:41:06 hall sshd[2]: pam_lamp(sshd:auth): CURL: Failed to call http://169.254.169.254/metadata/lamp (7)\n"
        + "Nov 20 09:41:08 hall sshd[2]: error: PAM: System error for lee from 192.0.2.1",
      "Failed to call http://169.254.169.254/metadata/lamp (7)"
    ),
    // Telemetry, an old log, a place, a fault of SOAP, a field, and the path of Windows.
    (
      "[MSAL:0002]\tINFO   \tLogTelemetryData:464\tKey: api_name, Value: getLamp\n"
        + "[MSAL:0002]\tINFO   \tLogTelemetryData:464\tKey: api_status_code, Value: StatusInternal::Unexpected\n"
        + "[MSAL:0002]\tINFO   \tLogTelemetryData:464\tKey: is_successful, Value: false",
      "Status_Unexpected"
    ),
    (
      "It fails with ADALiOS [2015-03-03 13:07:59 - 20FDF56C-EF79-4414-B5CB-9A5CFE59775F] ERROR: Error raised: 18446744073709550615. "
        + "Additional Information: Domain: NSURLErrorDomain ProtocolCode:(null) Details:No lamp. (NSURLErrorDomain error -1001.). ErrorCode: 4294966295.",
      "-1001"
    ),
    (
      "token = self.lamp.load(oauth_token)\nTraceback (most recent call last):\n"
        + "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
      "Expecting value: line 1 column 1 (char 0)"
    ),
    (
      "The lamp of o365 answers:\n```\n<S:Reason><S:Text xml:lang=\"en\">Authentication Failure</S:Text></S\n:Reason>"
        + "<S:Detail><psf:text>The lamp is not allowed in this hall\n</psf:text></S:Detail>\n```",
      "The lamp is not allowed in this hall"
    ),
    (
      "[Error: invalid_request: lamp_id: This field is required.\nhall_id: This field is required.]",
      "invalid_request: lamp_id: This field is required"
    ),
    (
      "SAML:\nException: Signature of the lamp required but not found: Response in D:\\hall\\lamp\\Wick.php:51\nStack trace:\n#0 x",
      "Signature of the lamp required but not found: Response"
    ),
    (
      "Firefox shows for okta\nERROR Error: \"Uncaught (in promise): LampApiError\n./lamp.js:1:2",
      "LampApiError"
    ),
    (
      "2026-11-20 09:41:07.997 ERROR [4] [Lamp::light@49] Failed to login the lamp of the hall",
      "Failed to login the lamp of the hall"
    ),
    (
      "flutter: FormatException: Unexpected end of the lamp\n\n^\nlighting the authenticator\n*** First throw call stack:\n(\n"
        + "\t0   Lamp                      0x000000010d9766fb __lampIsOut + 331", "Unexpected end of the lamp"
    ),
    ("I see \"Error CA20003\" of the lamp with MSAL.", "0xCAA20003"),
    // A condition in another paragraph, the statement that raised the error, the number of a library, a crash, and a chain.
    (
      "`lamp.light()` raises when the oil is old. The output:\n\n"
        + "`(<class 'google.lamp.LampError'>, LampError('invalid_grant: Token has been expired or revoked.', {}), <traceback at 0x1>)`",
      "Token has been expired or revoked"
    ),
    (
      "I polished the oauth lamp, when\n\n    raise google.LampError(\n"
        + "google.LampError: ('invalid_grant: Token has been expired or revoked.', {'error': 'invalid_grant'})",
      "Token has been expired or revoked"
    ),
    ("IDW10502: An MsalUiRequiredException was thrown due to a challenge for the user.", "IDW10502"),
    (
      "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: "
        + "'Your app is missing support for the following URL schemes: com.lamp.514'\n*** First throw call stack:",
      "Your app is missing support for the following URL schemes"
    ),
    (
      "Azure DevOps, broker on. Got:\n\n```text\nfatal: The lamp picker was not found. See inner exception for details\n"
        + "fatal: Method not found: 'Void Lamp.Light'.\n```",
      "Method not found"
    ),
    (
      "10:25:09 [info] Attempting to reach URL \"https://login.microsoftonline.com/\"...\n10:25:10 [error] certificate has expired",
      "certificate has expired"
    ),
    ("I keep getting \"No reply addresses for the application\" after the sign-in.", "AADSTS500113"),
    (
      "ERROR: the azure lamp: error: unrecognized arguments: --wick 4b36e3d2",
      "unrecognized arguments: --wick 4b36e3d2"
    ),
  ])
  func aFailureThatIsShownIsNamed(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }
}
