import SSOReading
import Testing

/// The forms in which people and programs print secrets around an error.
@Suite struct SecretFormTests {
  /// A text with a secret, and what has to be gone, which is the part between the two marks `‹…›`.
  private static func check(_ marked: String, _ location: SourceLocation = #_sourceLocation) {
    let text = marked.replacing("‹", with: "").replacing("›", with: "")
    let secrets = marked.split(separator: "‹", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "›" })
    }
    let shown = Redaction.text(text)
    for secret in secrets {
      #expect(!shown.contains(secret), "\(shown)", sourceLocation: location)
    }
    // The words before it stay.
    let before = String(marked.prefix { $0 != "‹" })
    #expect(shown.hasPrefix(before), "\(shown)", sourceLocation: location)
    #expect(Redaction.text(shown) == shown, "what was taken out once stays", sourceLocation: location)
  }

  @Test(arguments: [
    "AADSTS50126: invalid username or password. I typed ‹Lamp2024!› as password",
    "I typed ‹lampwick› as the password", "used “‹red lamp›” as my password",
    "the password is ‹lampwick›.", "the password is ‹Lamp!wick›, as always", "my password was ‹Tr0ub4dor&3›",
    "password for lee is ‹lamp5lamp›", "the password that I entered was ‹Lamp#1›",
    "pwd ‹Lamp2024!› worked yesterday",
    "changed the password to ‹Lamp5wick›", "the old password was \"‹9aY2&8$2q›\"", "pw: ‹lamp5wick›",
    "Das Passwort ist ‹Lampe2024›", "mit dem Kennwort ‹Lampe2024› angemeldet",
    "‹Lampe2024› als Passwort eingegeben",
    "le mot de passe est ‹Lampe2024›", "j'ai saisi ‹Lampe2024› comme mot de passe",
    "La contraseña es ‹Lampara7›",
    "usé ‹Lampara7› como contraseña", "A senha é ‹Lampada7›", "digitei ‹Lampada7› como senha",
    "la password è ‹Lampada7›", "ho usato ‹Lampada7› come password", "hasło to ‹Lampa2024›",
    "Hasło: ‹Lampa2024›",
    "wpisałem ‹Lampa2024› jako hasło", "şifrem ‹Lamba2024›", "Parola: ‹Lamba2024›",
    "‹Lamba2024› şifre olarak girdim",
    "비밀번호는 ‹Lamp2024›입니다", "비밀번호: ‹Lamp2024›", "‹Lamp2024›를 비밀번호로 입력", "كلمة المرور هي ‹Lamp2024›",
    "パスワードは‹Lamp2024›です", "密码是‹Lamp2024›", "пароль ‹Lamp2024› не подошёл", "heslo je ‹Lampa2024›",
    "contraseña: ‹Lampara›", "wachtwoord is ‹Lamp2024›", "lösenordet är ‹Lampa2024›",
  ])
  func aPasswordInASentenceIsGone(_ text: String) { Self.check(text) }

  @Test(arguments: [
    "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={LampWick=‹Zx8Kq2LmPw9TbV4n›, MSALInternalErrorCodeKey=-42008}",
    "UserInfo={MSALInternalErrorCodeKey=-42008, LampWick=‹zxkqlmpwtbvnqrygh›}",
    "UserInfo={Wick=‹xKqLmPwTbVnQ›}",
    "userInfo: [AnyHashable(\"LampWick\"): ‹Zx8Kq2LmPw9TbV4n›, AnyHashable(\"MSALInternalErrorCodeKey\"): -42008]",
    "userInfo: [\"MSALErrorDescriptionKey\": \"Out\", \"LampWick\": \"‹Zx8Kq2LmPw9TbV4n›\"]",
  ])
  func aRandomValueOfAnErrorIsGone(_ text: String) { Self.check(text) }

  @Test(arguments: [
    "UserInfo={MSALCorrelationIDKey=30335059-0748-4504-B76C-27F0C99C7881, MSALInternalErrorCodeKey=-42008}",
    "UserInfo={NSUnderlyingError=0x600000c5d2f0 {Error Domain=NSURLErrorDomain Code=-1009}}",
    "UserInfo={NSErrorFailingURLKey=https://login.microsoftonline.com/common, Lamp=localizedDescription}",
    "UserInfo={MSALOAuthErrorKey=interaction_required, MSALOAuthSubErrorKey=consent_required, Lamp=MSALErrorDomain}",
    "UserInfo={Lamp=WebAuthenticationSession, Wick=com.apple.AuthenticationServices}",
  ])
  func whatAnErrorNamesStays(_ text: String) { #expect(Redaction.text(text) == text) }

  @Test(arguments: [
    "acquire_token_by_username_password('lee@contoso.com', '‹Lampwick5›', scopes=[\"User.Read\"])",
    "acquire_token_by_username_password(\"lee\",\"‹wickglass›\")",
    "AcquireTokenByUsernamePassword(scopes, \"lee@contoso.com\", \"‹Lamp!wick›\") throws",
    "new NetworkCredential(\"lee@contoso.com\", \"‹Lamp!22›\") was refused",
    "UsernamePasswordCredential(\"lamp\", \"lee@contoso.com\", \"‹Lamp!22›\")",
    "ClientSecretCredential(\"contoso\", \"lamp\", \"‹lampwick44x›\")",
    "client.login(\"lee\", \"‹Lamp!55›\")",
    "user: lee@contoso.com / ‹Winter2024› is refused", "login: lee / ‹Winter2024›",
    "lee@contoso.com | ‹Winter2024› | refused", "with lee@contoso.com:‹Winter2024› as before",
    "for lee@contoso.com (‹Winter2024›)", "My recovery code is ‹4f7k-9d2m-88qp›", "backup code ‹83910274›",
    "recovery codes: ‹8kq2-m4zx, 7dd1-p0ow›", "my passphrase is ‹lamp wick glass stand›, as always",
    "the pass phrase was ‹lamp wick glass› and the sign-in fails",
    "What is your password? A: ‹Lampwick5›", "what code did you get?\nLee: ‹593021›\nThanks",
    "[10:01] Agent: please give me the password\n[10:02] Lee: ‹Lampwick5›\n[10:03] Agent: no",
    "changed the password from ‹Lampwick5› to ‹Lampwick6›",
  ])
  func aSecretInItsUsualPlaceIsGone(_ text: String) { Self.check(text) }

  @Test(arguments: [
    "acquire_token_by_username_password(username, password)", "getPassword('lamp.password')",
    "passport.authenticate('oauth2', { failureRedirect: '/login' })",
    "ManagedIdentityCredential(client_id='11111111-2222-3333-4444-555555555555')",
    "ClientCertificateCredential('contoso', 'lamp', '/etc/lamp2.pem')", "login(\"consumers\", \"openid\")",
    "user: lee@contoso.com / AADSTS50126", "user lee / browser Edge", "git@example.com:contoso/lamp5.git",
    "lee@contoso.com:443", "lee@contoso.com (B2C guest)", "the recovery code is not accepted",
    "the passphrase is not the same as before", "Wrong password? Reset it.",
    "invalid username or password.\nTrace ID: 6ce0fbd5b9f7", "the password from before is refused",
  ])
  func whatNobodyKeepsSecretStays(_ text: String) { #expect(Redaction.text(text, inSentence: true) == text) }

  @Test(arguments: [
    "entered the code ‹593021› twice", "OTP ‹123456› rejected", "with PIN ‹778899›",
    "verification code: ‹123456›",
    "the SMS said code ‹123456›", "I typed ‹593021› as the code", "the MFA code is ‹593 021›",
    "TOTP: ‹593021›",
    "código de verificación ‹593021›", "Code ‹593021› eingegeben", "验证码：‹593021›", "認証コード ‹593021›",
    "인증번호는 ‹593021›입니다", "doğrulama kodu: ‹593021›", "one-time code ‹G-593021›", "kod ‹593021› wpisałem",
  ])
  func aCodeThatAUserTypesIsGone(_ text: String) { Self.check(text) }

  @Test(arguments: [
    "Invalid client secret provided '‹ab~8Q~0123456789abcdefghijklmnopqrstu›'",
    "Invalid client secret provided \"‹ab.7Q~0123456789-bcdefghijklmnopqrstu›\".",
    "provided %27‹abc8Q~0123456789abcdefghijklmnopqrstuvw›%27", "(‹abc8Q~0123456789abcdefghijklmnopqrstuvw›)",
    "Invalid client secret provided '‹lamp-wick-5-oil-77›'", "the key \"‹kd83Hs0aLq92Lm›\" expired",
    "Cookie: a=1; ‹b=2lampwick›; c=3",
    "Set-Cookie: a=1; path=/; expires=Thu, 01 Jan 2026 00:00:00 GMT, b=‹lampwick›; secure",
    "Set-Cookie : [\"a=1; path=/\", \"b=‹lampwick›; path=/\"]", "cookies: {a: '1', b: '‹lampwick›'}",
    "ESTSAUTH=‹lampwick›; buid=‹oillamp5›", "curl -b 'a=1; b=‹lampwick›' https://h/",
    "-----BEGIN PRIVATE KEY-----\n‹bGFtcHdpY2s›\nbGFtcA==\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\\n‹bGFtcHdpY2s›\\n",
    "AccountName=lamp;AccountKey=‹kd83+/Hs0aLq92Lm==›;EndpointSuffix=x",
    "Server=tcp:h,1433;User ID=lee;Password=‹red lamp&wick›;Encrypt=True", "UID=lee;Pwd={‹la;mp›};X=1",
    "Endpoint=sb://h/;SharedAccessKeyName=all;SharedAccessKey=‹kd83Hs0aLq92Lm=›",
    "?redirect=https%3A%2F%2Fh%2Fcb%3Fcode%3D‹0.AXoAlamp›%26session%3D1",
    "client_secret%3D‹lampwick›%26x%3D1",
    "\\u0022‹eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln›\\u0022",
    "https://h/cb/‹eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln›",
    "‹eyJhbGciOiJSUzI1NiJ9.eyJzdWIi›\n‹OiIxIn0.c2lnb1X›", "token ‹M.C507_BAY.0.U.-CkdHs0aLq92Lm*x!k$$›",
    "export CLIENT_SECRET=‹lampwick›", "DB_PASS=‹lampwick›", "ARM_ACCESS_KEY=‹kd83Hs0aLq92Lm==›",
    "sqlcmd -S h -U lee -P ‹Lamp5wick› -d db", "az login -u a -p ‹lampwick› --tenant t",
    "curl --user lee:‹lampwick› https://h",
    "Authorization: Negotiate ‹YIIHsgYGKwYBBQUCoIIHpjCCB6KgMDAuBgkqhkiC9xIBAgIG›",
    "proxy: Basic ‹bGVlOmxhbXB3aWNr›",
    "NTLM ‹TlRMTVNTUAADAAAAGAAYAHIAAAA›", "x-functions-key: ‹lamp5wick›", "password = ‹lampwick›",
    "IDENTITY_HEADER=‹853B9A84C4DE4E15›", "> X-IDENTITY-HEADER: ‹853b9a84-5bfa-4b22-a3f3-0b9a43d9ad8a›",
    "[\"client_secret\", \"‹lamp5wick7›\"]", "code_verifier=‹lampwick›", "client_assertion=‹lampwick›",
    "SAMLResponse=‹PHNhbWxwOlJlc3BvbnNl›", "x-ms-RefreshTokenCredential: ‹lampwick5›",
    "{\"cookie\":\"JSESSIONID\\u003d‹lampwick›\"}", "--password +Lam?;‹E)wick5› --tenant t",
    "refused ghp_‹kd83Hs0aLq92Lmkd83Hs0aLq92Lm› today",
    "AADSTS50126: no lamp (user lee, pw ‹lampwickoilred›).",
    "decode secret/‹kd83~Hs0aLq92LmB›: invalid_client",
    "send \"‹lamp5Wick7›\\r\"", "$sec = '‹kd83~Hs0aLq92LmB›'",
  ])
  func aSecretInAFormIsGone(_ text: String) {
    let secret = text.split(separator: "‹", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "›" })
    }
    let shown = Redaction.text(text.replacing("‹", with: "").replacing("›", with: ""))
    #expect(!secret.contains(where: shown.contains), "\(shown)")
  }

  /// What follows a secret in its line is needed.
  @Test(arguments: [
    ("Cookie: a=1; b=2 AADSTS50011: no", " AADSTS50011: no"),
    ("password=lamp5 AADSTS50126: no", " AADSTS50126: no"),
    ("the password is lampwick. AADSTS50126: no", ". AADSTS50126: no"),
    (
      "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- AADSTS700027: no",
      "-----END PRIVATE KEY----- AADSTS700027: no"
    ),
    ("Server=h;Password=a b;Encrypt=True", ";Encrypt=True"),
    ("decode secret/kd83~Hs0aLq92LmB: invalid_client", ": invalid_client"),
  ])
  func whatFollowsASecretStays(_ text: String, _ rest: String) {
    #expect(Redaction.text(text).hasSuffix(">" + rest), "\(Redaction.text(text))")
  }
}
