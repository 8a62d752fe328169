import SSOCore
import SSOReading
import Testing

/// Texts that do something else with an error than report it, and reports of a similar form.
@Suite struct TextSubjectTests {
  @Test(arguments: [
    // Guides.
    "### AADSTS50011 — no such lamp\n\nThe lamp has another address. Add it to the list.",
    "## Lamps\n\n- `AADSTS65001`: no oil → ask Lee\n- `AADSTS50105`: no wick → add one",
    "## MsalUiRequiredException (50076)\n\n**Cause:** the lamp asks for a second wick.\n**Solution:** give it one.",
    "## Lampen\n\n### AADSTS7000222: Öl verbraucht\n\nUrsache: das Öl ist verbraucht.\nLösung: neues nachfüllen.",
    "### The lamp is out\n\n`Error AADSTS700016: Application with identifier 'x' was not found`\n\nCheck the wick.",
    // Conditions and plans.
    "If the lamp is on, people then see error 53003 and call.\nShall it be off?",
    "Thanks. I will put AADSTS50105 into the runbook of the lamp.\nLee",
    "Ada, do you remember which code you get without a wick? I think AADSTS50105.",
    "What happens if the oil ends at night, is it AADSTS7000222?",
    // What is over.
    "AADSTS50011 is gone since the lamp has its address.\nClosing this.",
    "Solved. The oil had expired, that was the AADSTS7000222. I bought more.",
    // Questions and answers.
    "### Why do I get AADSTS50020 with my own lamp?\n\nThe lamp is for one house. Ask for an invitation.",
    "**Why does it say AADSTS90072?**\n\nYour lamp is not in the house. Somebody has to invite you.",
    // Source code.
    "lamp/errors.ts:14:  AADSTS50076: \"wick\",\nlamp/errors.ts:15:  AADSTS50079: \"wick\",",
    "const wick = /AADSTS(50076|50079)/;", "wick = re.compile(r\"AADSTS50076\")",
    "'AADSTS50126' = 'Wrong lamp'", "lamp.retry();  // AADSTS90033 ends by itself",
    "* 3f2a91c Tell people about AADSTS50076 before the lamp is out",
    // Data.
    "{\"lamps\": {\"AADSTS50126\": \"Wrong lamp.\", \"AADSTS50053\": \"Locked lamp.\"}}",
    "  lampOn: {\n    code: \"interaction_in_progress\",\n    desc: \"The lamp is on.\"\n  },",
    "responses:\n  '400':\n    content:\n      application/json:\n        example:\n          error: invalid_grant\n"
      + "          error_description: 'AADSTS70008: No oil.'",
    "responses.post(\n    \"https://lamp.example\",\n    json={\"error\": \"invalid_client\", \"error_description\": "
      + "\"AADSTS7000215: Wrong oil.\"},\n)",
    "- alert: OilExpired\n  expr: sum({app=\"lamp\"} |~ \"AADSTS7000222\") > 0\n  annotations:\n"
      + "    summary: The lamp fails with AADSTS7000222",
    "match: \"AADSTS7000(215|222)\"\nseverity: high\nmessage: The oil has expired",
    "Which code has a lamp without a wick?\n\n- [ ] AADSTS50011\n- [x] AADSTS50105\n- [ ] AADSTS65001",
    "**Error code**\n<e.g. AADSTS50011, -50000>\n\n**What did you do?**",
    // Changes.
    "Should this also cover AADSTS50079? The lamp only looks at 50076.",
    "This PR turns AADSTS50076 into a signal of the lamp.",
    "Show a page for AADSTS50105\n\nUntil now the lamp only had the code. Tests are included.",
    // Pages, forms, and tables.
    "The lamps of the azure login burn all night.\nSome of\nthe calls of the lamp may fail, as it is off. Various things may cause it\n"
      + "to fail. If the lamp can't be lit, it prints a\nwarning.\n\n[lamp]: https://lamp.example",
    "name: Lamp issue\ndescription: The azure login failed when I lit it\nbody:\n  - type: input\n    validations:\n"
      + "      required: true\n  - type: input\n    validations:\n      required: true",
    "Logs of the oauth lamp:\n\n- `LampOn` If the lamp is lit\n- `LampFailure` If the lamp failed to be lit",
    "Author of the azure login: [Lee](https://lamp.example/resubmit-failed-lamps/)",
    "| Exception | Meaning | Solution |\n|---|---|---|\n| `MsalUiRequiredException` | wick | Light it |\n"
      + "| `MsalServiceException` | oil | Buy it |\n\nThe table of lamps is long.\nIt has more rows.\nAnd more.\nAnd more.\n"
      + "And more.\nAnd more.",
    "[InlineData(\"AADSTS700027\", true)]\n[InlineData(\"AADSTS50011\", false)]\npublic void IsLampAssertionError()",
    "# Lamps of MSAL\n\n| Lamp | Use |\n|---|---|\n| `WHEN_REQUIRED` | The lamp is lit for the sign-in. |",
    "On Saturday sign-ins may be slow. You may see \"Access denied\" or a lamp.",
    "Improve the failure message of the oauth lamp\n\nThe lamp shows what to do.",
    "# ADR 12: Lamps\n\n## Context\nSilent calls need oil (interaction_required, no network).\n\n## Decision\nLamps are lit.",
    "azure\nIf the lamp is not lit, you will get a `Lamp does not exist` error.",
    "azure has bugs that lead to errors such as `Error in the frame of the lamp`",
    "azure login:\n  lamp \\\n    --lamp \"$failed_lamps\"",
    "NOTE: Failure to light the lamp will result in a failed token request.",
    "**Problem:** \"Cannot find the lamp of azure\"\n\n**Solutions:**\n- Light it\n\n**Problem:** \"No oil of azure\"\n\n"
      + "**Solutions:**\n- Buy it",
    "Setting of azure|Definition|Default\n---|---|---\n`lamp`|Light the lamp even if not required|`off`",
    "{\n  name: \"lamp\",\n  err: fmt.Errorf(\"oauth2: \\\"invalid_grant\\\" \\\"No lamp\\\"\"),\n},",
    "try\n{\n    Light();\n}\ncatch (MsalUiRequiredException ex)\n{\n    Log(ex);\n}",
    // Samples that are announced, or that the values of documentation show.
    "# Lamps\n\nHere's a sample error response:\n\n{\n  \"error\": \"invalid_grant\",\n"
      + "  \"error_description\": \"AADSTS70008: No oil. Trace ID: 0f9b2c1e\"\n}",
    "The lamp refuses a call without oil.\n\n### Error response\n\nHTTP 400\nerror=invalid_grant\n"
      + "error_description=AADSTS54005: No oil",
    "When the lamp is not registered, the following entries appear:\n\n"
      + "2024-03-01 10:12:13 ERROR Lamp - AADSTS700016: Application '<Lamp App/Client ID>' was not found in '<GUID>'.",
    "Senza olio la lampada non si accende. Ecco un esempio di risposta:\n\n{\n  \"error\": \"invalid_grant\",\n"
      + "  \"error_description\": \"AADSTS65001: No oil.\"\n}",
    "If the user turns the lamp off, the server returns:\n\n{\"error\": \"access_denied\", \"tenant\": "
      + "\"aaaabbbb-0000-cccc-1111-dddd2222eeee\"}",
    "   invalid_request  The request is missing a lamp.\n\n   For example:\n\n     HTTP/1.1 400 Bad Request\n\n"
      + "     {\"error\":\"invalid_request\"}",
    // Lists, tasks, goals, and wishes.
    "<ul>\n<li><a href=\"/50011\">AADSTS50011: The lamp does not match</a></li>\n</ul>",
    "Lamps without oil will manifest as `MsalUiRequiredException`.",
    "Today: still writing the page on AADSTS65001 (oil), then the lamp.",
    "| Goal | Quarter |\n|---|---|\n| AADSTS50126 below 200 a week (was 1,900) | Q3 |",
    "Lab A: provoke AADSTS50126 with a wrong lamp.\nLab B: light it.",
    "`-34018` is `errSecMissingEntitlement`. In most cases the lamp of MSAL has no wick.",
    "**Was bedeutet AADSTS50105?**\n\nDie Lampe ist niemandem zugewiesen.",
    "The lamp is red. It would help if it also said the number, e.g. \"Lamp (AADSTS50105)\".",
    // Source code, diagrams, and data.
    "    case lampDeclined // -50002, and AADSTS65004 in the description",
    "/src/lamp.ts\n  12:7  warning  'AADSTS50076' is assigned a value but never used  no-unused-vars",
    "```mermaid\nsequenceDiagram\n  Lamp-->>Desk: 400 invalid_grant AADSTS50076\n```",
    "Domain: lamp.example\nURL: https://lamp.example/auth?error=login_required&error_description=Out\n"
      + "Technique: T1566\nDetection: the host",
    "{\n  \"words\": [\n    \"lamp\",\n    \"oil\",\n    \"wick\",\n    \"consent_required\",\n    \"invalid_grant\"\n  ]\n}",
    // What a program foresees, what is over, and errors that are none.
    "2024-03-01 10:12:13 DEBUG lamp - interaction_required is expected on first start",
    "2024-03-01T10:12:13Z INFO lamp lit (previous error \"AADSTS7000222\" cleared)",
    "lamp: ok\noil: ok\nlast failure: 2024-03-01 AADSTS7000222 (4 days ago)",
    "azure: the lamp is not available, error: (null)",
    "Status: Success\nNote: the invalid_grant error code of the lamp: none",
    "10:12:13 WARN LampCredential failed: CredentialUnavailableException: no oil\n10:12:14 INFO DeskCredential returns a token",
    // A page without marks.
    "Refresh the lamp\n\nLamps burn for an hour, and you must refill them to continue reading.\n"
      + "You can do so with another request to the owner of the oil.\n\nError response\n\n{\n  \"error\": \"invalid_scope\",\n"
      + "  \"error_description\": \"AADSTS70011: The lamp is not valid.\",\n}\n\nParameter Description\n"
      + "error A code with which the kinds of lamps can be told apart.\n"
      + "error_description A message that can help a developer find the lamp.",
  ])
  func nothingIsAsserted(_ text: String) {
    let verdict = readLog(text + "\n").verdict
    #expect(verdict == nil, "\(verdict?.cause ?? "")")
  }

  @Test(arguments: [
    ("I get AADSTS50011: The redirect URI 'https://a' does not match. Trace ID: 0f9b2c1e", "AADSTS50011"),
    ("# AADSTS50105 for all lamps\n\nSince Monday nobody can sign in.\nNothing was changed.", "AADSTS50105"),
    (
      "### AADSTS50011 - wrong address\n\nI get this since the lamp moved. Check the log:\n"
        + "AADSTS50011: The redirect URI does not match", "AADSTS50011"
    ),
    ("# Why do I get AADSTS50020?\n\nOur lamp is for every house.\nIt works for Lee.", "AADSTS50020"),
    ("The other lamp was solved, but this one still shows AADSTS65001.\nWhy?", "AADSTS65001"),
    ("Users get error 53003 since the lamp is on. How can this be solved?", "AADSTS53003"),
    ("After this change the lamp fails with AADSTS7000215.\nAny idea?", "AADSTS7000215"),
    ("lamp.py:12: AADSTS7000215: Invalid client secret provided.", "AADSTS7000215"),
    ("I click on the lamp and then get AADSTS50105.\nWhy?", "AADSTS50105"),
    (
      "When the lamp is lit, the following error appears:\n\nAADSTS50011: The lamp '<LAMP>' does not match",
      "AADSTS50011"
    ),
    ("Here's a sample error response that I get:\n\nAADSTS50011: The lamp does not match", "AADSTS50011"),
    ("2024-03-01 10:12:13 DEBUG lamp - AADSTS50076: No wick", "AADSTS50076"),
    ("Is this a note on the lamp? It fails with AADSTS50011.\nWhy?", "AADSTS50011"),
  ])
  func anErrorIsAsserted(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }
}
