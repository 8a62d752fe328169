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
  ])
  func anErrorIsAsserted(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }
}
