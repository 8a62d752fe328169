import SSOCore

/// A name of a secret in a sentence, such as `password` or `hasło`.
struct SecretLabel: Sendable {
  enum Form: Sendable {
    case password
    /// A secret that a program uses.
    case opaque
    /// A word that also names what is not secret; a secret behind it is a random text.
    case key
    /// A word for nothing but a code that the user reads and types.
    case oneTimeCode
    /// A word for a code of any kind.
    case code
    /// A verb for what a user does with a code.
    case typed
    /// A word for a code that stands in for a lost device, which may have letters.
    case recoveryCode
    /// The end of a function's name that signs in with what it is given.
    case call
    /// A word for a user, behind whose name a password may stand.
    case user
  }

  /// The name in UTF-8, in lowercase.
  let text: [UInt8]
  let form: Form
  let isASCII: Bool
  /// Whether the name is of a script with blanks between its words and an alphabet like that of passwords.
  let isLatin: Bool
  /// Whether the name is English.
  let isEnglish: Bool

  private init(_ text: String, _ form: Form) {
    (self.text, self.form) = (Array(text.utf8), form)
    isEnglish = [
      "password", "passwd", "pwd", "pw", "pass", "pass phrase", "security answer", "passphrase", "passcode",
      "pin", "code", "passwords", "tap", "psk", "temporary access pass", "pre-shared key",
      "security question",
      "identified by",
    ].contains(text)
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    isLatin = text.unicodeScalars.allSatisfy { $0.value < 0x250 || (0x1E00..<0x1F00).contains($0.value) }
  }

  /// Returns the names that begin with a byte, the longest first.
  static func beginning(with byte: UInt8) -> [SecretLabel] { table[Int(byte.isLetter ? byte | 0x20 : byte)] }

  private static let table: [[SecretLabel]] = {
    var table = [[SecretLabel]](repeating: [], count: 256)
    for (form, list) in names {
      for name in list.split(separator: "|") {
        let label = SecretLabel(String(name), form)
        table[Int(label.text[0])].append(label)
      }
    }
    return table.map { $0.sorted { $0.text.count > $1.text.count } }
  }()

  private static let names: [(Form, String)] = [
    (
      .password,
      "password|passwd|pwd|pw|pass|passphrase|pass phrase|security answer|passwort|kennwort|mot de passe|mdp|contraseña|contrasena|clave|senha"
        + "|palavra-passe|palavra passe|parola d'ordine|wachtwoord|lösenord|passord|adgangskode|adgangskoden|salasana|hasło"
        + "|hasła|haslo|hasłem|heslo|hesla|heslem|jelszó|parola|parolam|parolă|şifre|Şifre|sifre|sifrem|lozinka|geslo"
        + "|mật khẩu|Mật khẩu|kata sandi|пароль|Пароль|паролем|парола|κωδικός|Κωδικός|パスワード|暗証番号|密码|密碼|口令|비밀번호"
        + "|패스워드|암호|كلمة المرور|كلمة مرور|كلمة السر|كلمة سر|رمز عبور|סיסמה|סיסמא|הסיסמה|पासवर्ड|รหัสผ่าน"
        + "|passwords|passwörter|kennwörter|wachtwoorden|contraseñas|mots de passe|senhas|security question|identified by"
        + "|clientgeheimnis|clientschlüssel|temporary access pass|tap|psk|pre-shared key"
    ),
    (
      .opaque,
      "secret|token|geheimnis|clé secrète|clave secreta|secreto|segredo|sekret|シークレット|トークン|시크릿"
    ),
    (.key, "key|seed|schlüssel|clé|llave|chave|chiave|klucz|anahtar|密钥|密鑰|キー|키"),
    (
      .oneTimeCode,
      "otp|totp|pin|mtan|one-time code|one time code|one-time password|one-time passcode|passcode"
        + "|verification code|security code|confirmation code|authenticator code|mfa code|2fa code|sms code|login code"
        + "|otp code|totp code|code de vérification|code de sécurité|código de verificación|código de verificação"
        + "|código de seguridad|código de segurança|codice di verifica|codice di sicurezza|bestätigungscode"
        + "|sicherheitscode|prüfcode|einmalcode|verificatiecode|kod weryfikacyjny|doğrulama kodu|onay kodu|验证码|驗證碼"
        + "|动态码|認証コード|確認コード|認証番号|인증번호|인증 번호|인증코드|인증 코드|رمز التحقق|код подтверждения|mã xác minh"
        + "|mã xác thực|sms-code|tan"
    ),
    (.typed, "entered|typed"),
    (
      .recoveryCode,
      "recovery code|recovery codes|backup code|backup codes|recovery key|wiederherstellungscode|code de récupération"
        + "|código de recuperación|código de recuperação|herstelcode|codice di recupero"
        + "|wiederherstellungscodes|codes de récupération|códigos de recuperación|códigos de recuperação|herstelcodes"
        + "|codici di recupero"
    ),
    (.call, "credential|credentials|pscredential|auth=|login|logon|signin|sign_in|authenticate"),
    (
      .user,
      "user|username|user name|login|account|credentials|creds|benutzer|benutzername|konto|zugangsdaten|utilisateur"
        + "|identifiant|identifiants|compte|usuario|usuário|utente|gebruiker"
    ),
    (.code, "code|código|codigo|codice|kod|kodu|koden|kode|koodi|コード|코드|код|Код|الرمز|رمز|代码|号码"),
  ]
}

extension SecretLabel {
  /// Returns whether a text is the name of a secret, and nothing else.
  static func isWhole(_ text: String) -> Bool {
    let name = Array(text.lowercased().utf8)
    guard let first = name.first else { return false }
    return beginning(with: first).contains { $0.text == name && $0.namesSecret }
  }

  /// Returns whether a text ends with the name of a secret, and does not say that something is wrong with it: `New password`.
  static func ends(_ text: String) -> Bool {
    let lower = text.lowercased()
    let words = Array(lower.utf8)
    return !StatedSecrets.ofFailures.contains(where: lower.contains)
      && table.lazy.joined().contains { label in
        let start = words.count - label.text.count
        return label.namesSecret && start >= 0 && words[start...].elementsEqual(label.text)
          && (start == 0 || !words[start - 1].isLetter && words[start - 1] < 0x80 || !label.isLatin)
      }
  }

  /// Returns whether a text names recovery codes, or several codes that are used once.
  static func namesCodes(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lists.contains(where: lower.contains)
  }

  private static let lists: [String] = table.joined().compactMap { label in
    let name = String(decoding: label.text, as: UTF8.self)
    return switch label.form {
    case .recoveryCode: name
    case .oneTimeCode: name.utf8.count > 5 && label.isASCII ? name + "s" : nil
    case .password, .opaque, .key, .code, .typed, .call, .user: nil
    }
  }

  private var namesSecret: Bool {
    switch form {
    case .password, .oneTimeCode, .recoveryCode: true
    case .opaque: text.count > 5
    case .key, .code, .typed, .call, .user: false
    }
  }
}

extension StatedSecrets {
  /// Returns whether a word in lowercase says how a secret is, or of which type, and is not a secret.
  static func isOrdinary(_ word: String) -> Bool {
    ordinary.contains(word) || ordinaryEndings.contains(where: word.hasSuffix)
      || ["string", "text", "value", "object", "bool", "boolean", "integer", "number", "error", "status"]
        .contains(word)
  }

  /// The words that may stand between the name of a secret and its value.
  static let fillers: Set = [
    "value", "sent", "used", "given", "entered", "provided", "received", "typed", "supplied", "here",
    "olarak",
  ]
  static let codeFillers: Set = [
    "code", "number", "sent", "received", "entered", "used", "given", "i", "got", "from", "the", "sms",
    "typed",
    "we", "they", "me", "value", "#", "that", "my", "app", "authenticator", "phone", "reçu", "par",
  ]
  /// The verbs with which a user says that they gave a secret.
  static let verbs: Set = [
    "i", "typed", "entered", "used", "tried", "sent", "gave", "put", "wrote", "provided", "set", "using",
    "chose",
    "pasted",
  ]
  /// The verbs that stand between a name and its value.
  static let copulas: Set = [
    "is", "was", "are", "were", "equals", "ist", "war", "lautet", "lautete", "sind", "waren", "zijn", "luidt",
    "sont",
    "sono", "são", "son", "est", "était", "es", "era",
    "fue", "é",
    "foi", "è", "är", "var", "er", "on", "oli", "to", "jest", "było", "bylo", "brzmi", "bolo", "je", "este",
    "это", "был", "це", "було", "là", "adalah", "είναι", "ήταν", "هي", "هو", "كانت", "كان", "היא", "הייתה",
    "है",
  ]
  /// Verbs of other languages that are other words in English.
  static let notInEnglish: Set = ["on", "er", "je", "es", "era"]
  /// The marks that stand between a name and its value.
  static let marks = [":", "=>", "=", "->", "→", "：", "—", "–"].map { Array($0.utf8) }
  static let particles = [
    "は", "が", "を", "に", "는", "은", "이", "가", "를", "을", "로", "是", "为", "為", "：", "を使", "คือ",
  ].map { Array($0.utf8) }
  /// The words between a value and the name behind it.
  static let connectors: Set = [
    "as", "for", "als", "comme", "como", "come", "jako", "som", "ca", "sebagai", "как", "як",
  ]
  static let determiners: Set = [
    "the", "my", "a", "an", "his", "her", "our", "their", "your", "das", "mein", "le", "la", "mon", "el",
    "mi", "su", "o",
    "meu", "minha", "il", "mia", "moje", "het", "mijn", "this", "that",
  ]
  /// The words between the name of a secret and its owner: `the password for lee: lampwick5`.
  static let prepositions: Set = [
    "for", "of", "für", "von", "voor", "van", "pour", "de", "del", "para", "do", "da", "per", "di", "dla",
    "för", "til",
    "till", "для",
  ]
  static let pronouns: Set = [
    "it", "that", "this", "them", "same", "email", "these", "those", "which", "what", "username", "well",
    "known",
    "such", "exactly", "value", "correct", "wrong",
  ]
  /// Parts of the words after which a text is about a failure and not about a value.
  static let ofFailures = [
    "fail", "error", "invalid", "denied", "reject", "expire", "reset", "policy", "hash", "must", "not", "n't",
    "grant",
    "wrong", "incorrect", "change", "credential", "length",
  ]
  /// Words that follow `the password is` or `with password`.
  static let ordinary: Set = [
    "again", "alone", "auth", "blank", "case", "change", "correct", "empty", "expiry", "fine", "first",
    "flow", "good",
    "grant", "hash", "here", "incorrect", "instead", "invalid", "login", "manager", "mandatory", "missing",
    "mode",
    "needed", "never", "null", "okay", "only", "optional", "policy", "prompt", "rejected", "reset", "right",
    "same",
    "sign-in", "signin", "strong", "sync", "there", "this", "that", "too", "type", "unchanged", "undefined",
    "unknown",
    "valid", "weak", "wrong", "yes", "lost", "mine", "known", "necessary", "long", "short", "secret",
    "public", "hidden",
    "today", "unset", "identical", "different", "default", "working", "back", "dead", "none", "nil", "true",
    "false",
  ]
  /// The endings of such words, as in `authentication`.
  static let ordinaryEndings = ["tion", "ing", "ment", "ed", "als", "able", "ible", "ly"]
  /// The endings of such words in other languages, as in `obligatoire` and `incorrecta`.
  static let foreignEndings = [
    "aire", "ect", "ecte", "ecta", "ecto", "etto", "etta", "ide", "ida", "ido", "ato", "ata", "uta", "uto",
    "oria", "orio",
    "ible", "able", "ique", "ant", "ent", "et", "ue", "is", "ig", "isch", "falsch", "leer", "ert", "en",
    "ada", "ado", "faux",
    "vide", "nulle", "null", "fout", "juist", "leeg", "eerd", "correct",
  ]
  /// The words between a verb and a secret.
  static let adverbs: Set = [
    "bien", "really", "now", "still", "actually", "just", "nun", "jetzt", "ahora", "ora",
  ]
  /// A label that is also a verb, and counts only before a colon.
  static let pass = Array("pass".utf8)
  static let algorithms = [
    "base64", "sha", "md5", "pbkdf2", "x509", "utf", "aes", "oauth2", "hs256", "rs256", "es256", "hmac",
    "bcrypt",
    "argon2", "rsa", "tls1", "saml2", "http", "msal", "adal", "sha-", "pkcs",
  ]
  /// The quotation marks around a value.
  static let quotes: [(open: [UInt8], close: [UInt8])] = [
    ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("‚", "‘"),
    ("「", "」"),
    ("『", "』"), ("\\\"", "\\\""),
  ].map { (Array($0.utf8), Array($1.utf8)) }
  /// Words before a code that is not a user's: `error code 593021`.
  static let ofOtherCodes = [
    "error", "status", "exit", "response", "return", "result", "http", "reason", "event", "product", "zip",
    "postal",
    "country", "area", "region", "language", "source", "coupon", "promo", "discount", "tracking", "order",
    "sub",
    "failure", "diagnostic", "message", "errors", "oder", "fehler", "internal", "native", "with",
  ]
  /// Parts of the words behind a code that a user typed.
  static let typedBehind = [
    "eingegeben", "eingetippt", "ingevoerd", "wpisa", "girdim", "girildi", "입력", "入力", "saisi", "sent to my",
    " from sms", " aus der sms", " z sms", " из sms", " uit de sms", " par sms", " de la app", " dell'app",
    "to my phone",
  ]
  /// Parts of the words before a code that a user typed, or received.
  static let ofTyping = [
    "enter", "typed", "type the", "received", "sms", "otp", "mfa", "2fa", "authenticator", "verification",
    "one-time",
    "text message", "phone", "eingegeben", "eingeben", "saisi", "entré", "inserit", "ingres", "digitei",
    "digit",
    "kreeg", "ontvang", "reçu", "ricevut", "receb", "recib", "bekommen", "erhalten", "otrzyma", "skrev in",
    "per sms",
    "introd", "wpisa", "girdim", "入力", "輸入", "输入", "입력", "أدخل", "ввел", "ввёл", "insere", "inform",
  ]
}
