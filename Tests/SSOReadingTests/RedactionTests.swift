import SSOCore
import SSOReading
import Testing

struct RedactionTests {
  /// A text, and the form in which it may be shown.
  struct Row: CustomTestStringConvertible, Sendable {
    var text: String
    var shown: String
    var testDescription: String { text }
  }

  private static func hash(_ value: String) -> String { Redaction.hash(value) }

  @Test(arguments: [
    Row(text: "password=p@ss#1!&x=1", shown: "password=\(hash("p@ss#1!"))&x=1"),
    Row(text: "{\"passwd\": \"correct \\\"horse\"}", shown: "{\"passwd\": \"\(hash("correct \\\"horse"))\"}"),
    Row(
      text: "{\\\"refresh_token\\\":\\\"0.Aabc\\\"}",
      shown: "{\\\"refresh_token\\\":\\\"\(hash("0.Aabc"))\\\"}"),
    Row(
      text: "cannot fetch token: 401 Unauthorized: invalid_grant",
      shown: "cannot fetch token: 401 Unauthorized: invalid_grant"),
    Row(
      text: "get-token: authentication error: token: invalid_grant: old",
      shown: "get-token: authentication error: token: invalid_grant: old"),
    Row(
      text: "<o:Password Type=\"lamp\">hunter#2</o:Password>",
      shown: "<o:Password Type=\"lamp\">\(hash("hunter#2"))</o:Password>"),
    Row(text: "<Password>hunter 2</Password>", shown: "<Password>\(hash("hunter 2"))</Password>"),
    Row(text: "<Password><Empty/>", shown: "<Password><Empty/>"),
    Row(text: "JWT::LampError (lamp)", shown: "JWT::LampError (lamp)"),
    // The name of a method in Objective-C has no values.
    Row(
      text: "-[Lamp initWithClientId:clientSecret:wickURL:scopes:]",
      shown: "-[Lamp initWithClientId:clientSecret:wickURL:scopes:]"),
    Row(text: "+[Lamp light:clientSecret:]", shown: "+[Lamp light:clientSecret:]"),
    Row(text: "ida:clientSecret:lampwick5", shown: "ida:clientSecret:\(hash("lampwick5"))"),
    Row(text: "token: hunter2hunter", shown: "token: \(hash("hunter2hunter"))"),
    Row(
      text: "refresh_token: lampoilwickflame rejected: invalid_grant",
      shown: "refresh_token: \(hash("lampoilwickflame")) rejected: invalid_grant"),
    Row(
      text: "cannot fetch token: lampoilwickflame", shown: "cannot fetch token: \(hash("lampoilwickflame"))"),
    Row(text: "token=hunterhunter", shown: "token=\(hash("hunterhunter"))"),
    Row(text: "secret: hunterhunter", shown: "secret: \(hash("hunterhunter"))"),
    Row(
      text: "enter the code H8338LAMP to authenticate.",
      shown: "enter the code \(hash("H8338LAMP")) to authenticate."),
    Row(text: "enter the code that you got", shown: "enter the code that you got"),
    Row(
      text: "refused 'lee' with password 'red lamp': invalid_grant",
      shown: "refused 'lee' with password '\(hash("red lamp"))': invalid_grant"),
    Row(text: "using password lamp5lamp.", shown: "using password \(hash("lamp5lamp"))."),
    Row(text: "using password lampwick.", shown: "using password \(hash("lampwick"))."),
    Row(
      text: "signs in with password Lamp-Wick, as lee",
      shown: "signs in with password \(hash("Lamp-Wick")), as lee"),
    Row(text: "the password sent was l@mpwick", shown: "the password sent was \(hash("l@mpwick"))"),
    Row(text: "the secret sent was lamp5wick", shown: "the secret sent was \(hash("lamp5wick"))"),
    Row(text: "the secret used is 'lamp wick'", shown: "the secret used is '\(hash("lamp wick"))'"),
    Row(text: "OTP code sent was 068349", shown: "OTP code sent was \(hash("068349"))"),
    Row(text: "the password is wrong", shown: "the password is wrong"),
    Row(text: "password 0x80070005", shown: "password 0x80070005"),
    Row(text: "secret \"lamp-sso\" not found", shown: "secret \"lamp-sso\" not found"),
    Row(text: "Passwort: Lampe", shown: "Passwort: \(hash("Lampe"))"),
    Row(text: "verification code: 068349", shown: "verification code: \(hash("068349"))"),
    Row(text: "OTP code 068349 rejected", shown: "OTP code \(hash("068349")) rejected"),
    Row(text: "verification code expired", shown: "verification code expired"),
    Row(text: "error code 068349", shown: "error code 068349"),
    Row(text: "bad_token: AADSTS50173: The grant", shown: "bad_token: AADSTS50173: The grant"),
    Row(text: "password: AADSTSx", shown: "password: \(hash("AADSTSx"))"),
    Row(text: "Authorization: Bearer abc.def", shown: "Authorization: Bearer \(hash("abc.def"))"),
    Row(text: "https://ada:hush@host/x?a=b", shown: "https://ada:\(hash("hush"))@host/x?a=b"),
    Row(text: "GET \"http://ada:p%40:x@h:80\" ://", shown: "GET \"http://ada:\(hash("p%40:x"))@h:80\" ://"),
    Row(text: "https://ada@host:80/a:b@c", shown: "https://ada@host:80/a:b@c"),
    Row(
      text: "https://tok_0123456789abcdef@host/x", shown: "https://\(hash("tok_0123456789abcdef"))@host/x"),
    Row(text: "Cookie: a=b; c=d", shown: "Cookie: \(hash("a=b; c=d"))"),
    Row(text: "code=0.ABcodecodecode", shown: "code=\(hash("0.ABcodecodecode"))"),
    Row(text: "Error Domain=MSALErrorDomain Code=-50002", shown: "Error Domain=MSALErrorDomain Code=-50002"),
    Row(text: "no “LampErrorDomain Code=17995”.", shown: "no “LampErrorDomain Code=17995”."),
    Row(
      text: "Failure responding to request: StatusCode=403 -- {\"code\":\"NoSuchLamp\"}",
      shown: "Failure responding to request: StatusCode=403 -- {\"code\":\"NoSuchLamp\"}"),
    Row(
      text: "InvalidLampToken: House::InvalidLampToken", shown: "InvalidLampToken: House::InvalidLampToken"),
    Row(text: "Failed to get a token: waiting for lamp", shown: "Failed to get a token: waiting for lamp"),
    Row(text: "{\"code\":\"aBcDeFgHiJkL\"}", shown: "{\"code\":\"\(hash("aBcDeFgHiJkL"))\"}"),
    Row(text: "request=notASignedRequest", shown: "request=\(hash("notASignedRequest"))"),
    Row(text: "Status=403 Code=\"NoSuchLamp\"", shown: "Status=403 Code=\"NoSuchLamp\""),
    Row(text: "error code: 500, state: none", shown: "error code: 500, state: none"),
    Row(text: "[client_secret] => hush-1", shown: "[client_secret] => \(hash("hush-1"))"),
    Row(text: "'client_secret' => 'hush 1'", shown: "'client_secret' => '\(hash("hush 1"))'"),
    Row(text: ":password=>\"hush\"", shown: ":password=>\"\(hash("hush"))\""),
    Row(
      text: "app.exe --client-secret hush --tenant t",
      shown: "app.exe --client-secret \(hash("hush")) --tenant t"),
    Row(text: "New-App -ClientSecret 'a b' -Name x", shown: "New-App -ClientSecret '\(hash("a b"))' -Name x"),
    Row(
      text: "az login --service-principal -u a -p hush --tenant t",
      shown: "az login --service-principal -u a -p \(hash("hush")) --tenant t"),
    Row(text: "mkdir -p folder", shown: "mkdir -p folder"),
    Row(text: "curl -u bob:hush https://h/", shown: "curl -u bob:\(hash("hush")) https://h/"),
    Row(
      text: "ConvertTo-SecureString \"hush\" -AsPlainText",
      shown: "ConvertTo-SecureString \"\(hash("hush"))\" -AsPlainText"),
    Row(
      text: "<add key=\"ida:ClientSecret\" value=\"hush\" />",
      shown: "<add key=\"ida:ClientSecret\" value=\"\(hash("hush"))\" />"),
    Row(text: "AccountKey=aB3+/x==;Other=a", shown: "AccountKey=\(hash("aB3+/x=="));Other=a"),
    Row(text: "https://h/blob?sv=1&sig=aB%3D&se=2", shown: "https://h/blob?sv=1&sig=\(hash("aB%3D"))&se=2"),
    Row(text: "x-functions-key: aB3xyz", shown: "x-functions-key: \(hash("aB3xyz"))"),
    Row(text: "the secret value aB3defGh1jkl9 is", shown: "the secret value \(hash("aB3defGh1jkl9")) is"),
    Row(text: "The client_secret is missing for x", shown: "The client_secret is missing for x"),
    Row(
      text: "with Ab18Q~0123456789abcdefghijklmnopqrstuvw.",
      shown: "with \(hash("Ab18Q~0123456789abcdefghijklmnopqrstuvw."))"),
    Row(text: "Bearer was not authenticated.", shown: "Bearer was not authenticated."),
    Row(text: "Bearer error=\"invalid_token\"", shown: "Bearer error=\"invalid_token\""),
    Row(text: "decode the Jwt: The ID Token is old", shown: "decode the Jwt: The ID Token is old"),
    Row(text: "secret: The one", shown: "secret: \(hash("The")) one"),
    Row(
      text:
        "?error_description=AADB2C%3a+An+exception+has+occurred.+Correlation+ID%3a+12345678-abcd+Timestamp%3a+2026",
      shown:
        "?error_description=AADB2C%3a+An+exception+has+occurred.+Correlation+ID%3a+12345678-abcd+Timestamp%3a+2026"
    ),
    Row(text: "access_token=Masked(not-null)", shown: "access_token=Masked(not-null)"),
    Row(text: "\"access_token\": \"********\"", shown: "\"access_token\": \"********\""),
    Row(
      text: "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
      shown: "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration"),
  ])
  func secretsGiveWayToTheirHash(_ row: Row) {
    #expect(Redaction.text(row.text) == row.shown)
    #expect(Redaction.text(row.shown) == row.shown, "what was taken out once stays")
  }

  /// The words of a sentence stay; the values of fields do not, whatever else their names contain.
  @Test(arguments: [
    Row(text: "no token: received nothing", shown: "no token: received nothing"),
    Row(text: "error_code=bad_lamp, code=500123", shown: "error_code=bad_lamp, code=500123"),
    Row(text: "code_verifier=hunterhunter", shown: "code_verifier=\(hash("hunterhunter"))"),
    Row(text: "code=0.ABcodecodecode", shown: "code=\(hash("0.ABcodecodecode"))"),
    Row(text: "refresh_token=hunter2hunter2", shown: "refresh_token=\(hash("hunter2hunter2"))"),
  ])
  func ordinaryWordsOfASentenceStay(_ row: Row) {
    #expect(Redaction.text(row.text, inSentence: true) == row.shown)
  }

  /// What follows the name of a secret in a sentence is rarely one.
  @Test(arguments: [
    "sign in with password instead", "using password authentication.", "with password reset, or a code",
    "failed: using password grant", "a client with secret rotation.", "the secret was rotated",
    "the secret is 32 bytes long",
    "the token is base64-encoded", "the token was HS256", "the token is expired",
    "the secret is sha256-hashed",
    "the password is required!", "the password provided is incorrect.", "Access denied (using password: YES)",
    "password %s", "the password sent was empty", "use certificates with password protection.",
    "secret lamp5-wick2 not found", "the secret value is missing", "with password hashing.",
  ])
  func aSentenceAboutSecretsStays(_ text: String) {
    #expect(Redaction.text(text) == text)
    #expect(Redaction.text(text, inSentence: true) == text)
  }

  /// The text of an error, of a stack, of a table, or of a program is not a secret, even behind such a name.
  @Test(arguments: [
    "java.io.IOException: bad bearer token. at com.contoso.Lamp.on(Lamp.java:1)",
    "<activity android:name=\"com.contoso.house.lamp.ReadingLampActivity\" />", "POST /token response=400",
    String(repeating: "-", count: 80), String(repeating: "=-", count: 60), "{\"code\":\"ERR_BAD_LAMP\"}",
    "code=auth/lamp-is-out", "\"name\": \"BrowserAuthError\"",
    "Could not load Lamp, Version=4.0.0.0, Culture=neutral, PublicKeyToken=0a613f4dd989e8ae",
    "com.contoso.house.with.a.long.name.ReadingLampThatHasALongNameAndStandsOnATableException: out",
    "the-lamp-of-the-house-5f7b8c9d6-x2x4z-of-a-pod-that-has-a-long-name-in-a-cluster",
    "error code 593021, status 401, exit code 1234, AADSTS50034: no such lamp",
    "Correlation ID: 018e4294-1dd1-7f66-9c96-bb8831ff51d9 Trace ID: 0f71bd80-16fc-4268-bb51-7f3806c86d95",
    "Invalid username or password. Trace ID: 0f71bd80-16fc-4268-bb51-7f3806c86d95",
    "Basic authentication is off", "Negotiate failed, NTLM is off", "cookie: not found", "Cookie rejected",
    "required: 'password', 'client_secret', 'tenant'", "the key is lamp-table", "state = Enabled",
    "the password for ada@contoso.com is not correct", "the password is stored here.",
    "password AADSTS50126:",
    "reset the password on Azure.", "no value for password: the line is empty",
    "type the password: there is no terminal",
    "rpc error: code = Unauthenticated desc = no lamp", "app set lamp password=-",
    "expected one of 403, token:signature|issuer|expired, clock:SECONDS",
    "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=5fd2c1b4",
    "at Lamp.on (/srv/app/node_modules/@azure/msal-node/lib/msal-node.cjs.production.min.js:1:5217)",
  ])
  func whatIsNoSecretStays(_ text: String) {
    #expect(Redaction.text(text) == text)
  }

  /// If the hash had no key, a reader of the output could try all short secrets.
  @Test func aMarkCannotBeFoundByTryingSecrets() {
    let mark = Redaction.hash("123456")
    #expect(mark == Redaction.hash("123456") && mark != Redaction.hash("123457"))
    #expect(!mark.contains(sha256Hex("123456").prefix(8)))
    #expect(Redaction.isHash(mark))
  }

  /// A mark is never a number, a result code, a port, or a word, so that it decides nothing about its line.
  @Test func aMarkHasOnlyConsonants() {
    for number in 0..<2000 {
      let mark = Redaction.hash("lamp \(number)").dropFirst(6).dropLast()
      #expect(mark.count == 8 && mark.allSatisfy("ghjklmnpqrstvxyz".contains))
    }
  }
}
