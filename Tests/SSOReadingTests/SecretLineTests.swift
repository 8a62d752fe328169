import SSOCore
import SSOReading
import Testing

/// Secrets that another line names, and forms of languages, files, and protocols.
@Suite struct SecretLineTests {
  /// Every text that a reading may show.
  private static func shown(_ text: String) -> String {
    let reading = readLog(text + "\n")
    let hops = reading.traces.flatMap(\.hops)
    return
      (reading.unknown.map(\.text) + hops.flatMap(\.sent).map(\.value) + hops.map(\.result)
      + reading.traces.map(\.summary.summary)).joined(separator: "\n")
  }

  @Test(arguments: [
    "- name: CLIENT_SECRET\n  value: ‹lampwick›", "- name: \"COOKIE_SECRET\"\n  value: \"‹lampwick›\"",
    "clientSecret: |\n  ‹lampwick-glass›\n  ‹second-line›\nlamp: on",
    "<key>client_secret</key>\n<string>‹lampwick›</string>",
    "<setting name=\"Password\">\n  <value>‹lampwick›</value>", "S: 334 UGFzc3dvcmQ6\nC: ‹TGFtcHdpY2s1IQ==›",
    "USER lee\nPASS ‹lampwickglass›", "Wachtwoord:\n‹lampwick›", "Password:\n\n  ‹lampwick›",
    "-----BEGIN RSA PRIVATE KEY-----\n‹MIIEowIBAAKC›\n-----END RSA PRIVATE KEY-----",
    "user,password,error\nlee,‹lampwick›,AADSTS50126", "| user | password |\n|---|---|\n| lee | ‹lampwick› |",
    "| client id | lamp |\n| client secret | ‹lampwick› |\n| password | ‹glasswick› |",
    "│ client_secret │ ‹lampwick› │", "NAME            VALUE\nCLIENT_SECRET   ‹lampwick›",
    "my recovery codes:\n‹k3j9-x8q2›\n‹p7m4-w2n6›\n‹h5t8-r3v1›",
    "my recovery codes: \n‹84712963›\n‹19283746›",
    "I still have the backup codes\n\n1. ‹84712963›\n2. ‹1928 3746›",
    "Recovery code: ‹k3j9-x8q2›\n‹p7m4-w2n6›",
    "r = app.acquire_token_by_username_password(\n    'lee@lamp.example', '‹Lampwick#77›', scopes=[\"Lamp\"])",
    "r = app.acquire_token_by_username_password(\n    name,\n    '‹lampwick›',\n    scopes=[\"Lamp\"])",
    "my one-time codes\n- ‹482915›\n- ‹193746›", "meine Wiederherstellungscodes:\n‹k3j9x8q2›\n‹p7m4w2n6›",
    "login.example.com\tFALSE\t/\tTRUE\t1767225600\tESTSAUTH\t‹0.AAAAlamp›",
    // A token that a terminal broke into lines.
    "body: {\"id_token\":\"‹eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1›\n‹LampWick7tzJ3Efk5tgX7LFA2YK8H›\n‹Uy_a2pPg-8uvY1F›\"}",
    "access_token = '‹lampwicklampwicklampwick7›\n‹glass77›'",
    // A logger writes its own words before each part of a token.
    "I/lamp (912): idToken=‹eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1›\nI/lamp (912): ‹LampWick7tzJ3Efk5tgX7LFA2.YK8H›\nI/lamp (912): ‹Uy_a2pPg8›",
    "09:41:07 [lamp] access_token: ‹Lampwick9lampwick7lampwick5›\n09:41:08 [lamp] ‹Glass77glass88glass›\n09:41:09 [lamp] lit",
    "000| ‹eyJhbGciOiJSUzI1NiIsInR5cCI6›\n001| ‹W0GDvNOyLampwick7tzJ3Efk5tgX7LF›\n002| ‹A2YK8HUy_a2pPg8›",
    "DEBUG access_token: ‹eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1› ‹0.eyJhdWQiOiLampWick7tzJ3Efk5tgX7LFA2› ‹AxLTLwGEg›",
  ])
  func aSecretThatAnotherLineNamesIsGone(_ marked: String) {
    let text = marked.replacing("‹", with: "").replacing("›", with: "")
    let secrets = marked.split(separator: "‹").dropFirst().map { String($0.prefix { $0 != "›" }) }
    for whole in [text, "AADSTS50126: no lamp.\n" + text, text + "\nAADSTS50126: no lamp."] {
      let shown = Self.shown(whole)
      for secret in secrets { #expect(!shown.contains(secret), "\(shown)") }
    }
  }

  @Test(arguments: [
    "I typed ‹Lampwick77› as always", "entered ‹lampwick› as usual", "so I gave ‹Lampwick77› again",
    "the SMS said ‹068349›, too late", "Text message: ‹068349›", "the app showed ‹48› on my phone",
    "my pw is unchanged, still ‹Lampwick77›", "they gave me ‹Lampwick77› as temporary password",
    "tried ‹Lampwick77› and ‹Lampwick88› as passwords", "the admin reset it to ‹Lampwick77› today",
    "mi contraseña sigue siendo ‹Lampwick77›", "the password was ‹Lamp2024!› and now ‹Wick2025!›",
    "Use code ‹068349› to verify your account", "Din säkerhetskod är ‹068349›",
    "Ваш код безопасности: ‹068349›",
    "您的安全代码是 ‹068349›", "Your one-time passcode for contoso is ‹06834977›",
    "Secret key: ‹jbsw y3dp ehpk 3pxp›",
    "certutil -p ‹lampwick› -importpfx lamp.pfx", "signtool sign /f lamp.pfx /p ‹lampwick› lamp.exe",
    "phonefactor://activate_account?code=‹068349771›&url=x", "buid=‹0.AQ8Alamp›; fpc=‹AuLmR2GQ›",
    "old one: ‹Lampwick77› new one: ‹Lampwick88›", "ich habe ‹Lampwick77› eingegeben",
    "changed the PIN from ‹4471› to ‹9920›", "Passwort geändert von ‹Lampe77› auf ‹Lampe88›",
    "wachtwoord voor lee: ‹lamp77›", "de wachtwoorden zijn ‹Lamp77!› en ‹Lamp88!›",
    "password used: ‹lampwick›",
    "Password for 'https://lee@example.com': ‹lampwick›", "contraseña temporal: ‹Lampara77›",
    "пароль: ‹лампа77›",
    "密码：‹lampwick›", "‹482915› is your verification code", "Use ‹482915› as account security code.",
    "Il codice che ho ricevuto è ‹482915›.", "entrez le code ‹F8GH2KLP9› pour continuer",
    "TOTP seed ‹JBSWY3DPEHPK3PXP›",
    "C: AUTH PLAIN ‹AGxlZUBjb250b3NvLmNvbQBMYW1wd2ljazU=›",
    "AKIAIOSFODNN7EXAMPLE ‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzQEKEYabc›",
    ".WithClientSecret(\"‹lampwick›\")", "NewClientSecretCredential(tenant, client, \"‹lampwick›\", nil)",
    "load(file, \"‹changeit›\".toCharArray())", "ConvertTo-SecureString -String '‹lampwick›' -AsPlainText",
    "'‹lampwick›' | ConvertTo-SecureString -AsPlainText", "setenv(\"CLIENT_SECRET\", \"‹lampwick›\")",
    "os.environ[\"CLIENT_SECRET\"] = \"‹lampwick›\"", "{password=[‹lampwick›], user=[lee]}",
    "string pwd = @\"‹lamp\\wick›\";",
    "password = ‹lamp wick›", "--data-urlencode \"client_secret=‹lamp wick&77›\"",
    "auth=(\"lee\", \"‹glasswick›\")",
    "{\"name\":\"ESTSAUTH\",\"value\":\"‹0.lamp›\"}", "{\"kty\":\"oct\",\"k\":\"‹bGFtcHdpY2tnbGFzcw›\"}",
    "lee:‹$6$lampwick$abcdefghijklmnop›:19000",
    "‹aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0›:::",
    "mysql -u root -p‹lampwick› lamp", "net use z: ‹Lampwick77!› /user:lee",
    "lee@example.com;‹Lampwick77!›;no",
    "https://hooks.slack.com/services/‹T00000000/B0000/lampwick›",
    "key \"SECRET\" = \"‹lampwick1›\" -> \"‹lampwick2›\"",
    "{\\\\\\\"password\\\\\\\":\\\\\\\"‹lampwick›\\\\\\\"}", "&lt;password&gt;‹lampwick›&lt;/password&gt;",
  ])
  func aSecretInAFormIsGone(_ marked: String) {
    let text = marked.replacing("‹", with: "").replacing("›", with: "")
    let shown = Redaction.text(text)
    for secret in marked.split(separator: "‹", omittingEmptySubsequences: false).dropFirst().map({
      String($0.prefix { $0 != "›" })
    }) { #expect(!shown.contains(secret), "\(shown)") }
    #expect(Redaction.text(shown) == shown, "what was taken out once stays")
  }

  @Test(arguments: [
    "https://login.microsoftonline.com/error?code=7000215",
    "the key of this app has four digits only", "typed the address again", "entered contoso.com as usual",
    "it gave AADSTS50126 again",
    "old one: msal-browser 2.38, new one: msal-browser 3.1", "the SMS said nothing", "new: false",
    "tap Sign in, then the account", "the token from the cache to the app", "error code CAA20002 as before",
    "| client_secret | required |", "password  required", "SetSecret(name, value)",
    "getSecret(\"lamp-name\")",
    "lamp -p 8080:80 nginx", "AADSTS700016 is the error code", "50126 is the code", "tests pass for lamp",
    "- name: CLIENT_ID\n  value: 99999999-2222-3333-4444-555555555555", "user,error\nlee,AADSTS50126",
    "src/Sources/SSOModel/Reading/Logs/Lamps1", "Password:\nAADSTS50126",
    "I have recovery codes\nBrowserAuthError\ninvalid_grant", "I have recovery codes\nthe code is 50126",
  ])
  func whatIsNotSecretStays(_ text: String) {
    #expect(Redaction.text(text, inSentence: true) == text)
    let shown = Self.shown("AADSTS50126: no lamp.\n" + text)
    #expect(!shown.contains("*"), "\(shown)")
  }

  /// An app may put a token under any key of an error's user info.
  @Test(arguments: [
    "Code=-50002 \"(null)\" UserInfo={MSALErrorDescriptionKey=‹k3j9x8q2p7m4w2n6h5t8r3v1›, Lamp=1}",
    "Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=AADSTS50011: No lamp., LampWick=‹k3j9x8q2p7m4w2n6h5t8›}",
    "Code=-50000 \"(null)\" UserInfo={Wick=‹Ab3dEf6hIj9kLm2nOp5q›, Glass=\"‹q8w2e7r4t9y1u6i3o5p0›\"}",
  ])
  func aTokenInAnErrorIsGone(_ marked: String) {
    let text =
      "Error Domain=MSALErrorDomain " + marked.replacing("‹", with: "").replacing("›", with: "")
    let shown = Self.shown(text)
    for secret in marked.split(separator: "‹").dropFirst().map({ String($0.prefix { $0 != "›" }) }) {
      #expect(!shown.contains(secret), "\(shown)")
    }
  }

  @Test func whatIsNoTokenInAnErrorStays() {
    let members =
      "MSALCorrelationIDKey=8965FBEE-D190-4712-B574-01144B906FA5, MSALBrokerVersionKey=3.1.40, Lamp=com.wingtip.lamp.LampError"
    let shown = Self.shown("Error Domain=MSALErrorDomain Code=-50002 \"(null)\" UserInfo={\(members)}")
    #expect(shown.contains(members), "\(shown)")
  }
}
