import SSOCore
import SSOReference

/// The words by which ``StatedSecrets`` tells a secret from the other words of a sentence.
enum SecretWords {
  /// Returns whether a word in lowercase says how a secret is, or of which type, and is not a secret.
  static func isOrdinary(_ word: String) -> Bool {
    ordinary.contains(word) || ordinaryEndings.contains(where: word.hasSuffix)
      || ["string", "text", "value", "object", "bool", "boolean", "integer", "number", "error", "status"]
        .contains(word)
  }

  /// The words that may stand between the name of a secret and its value.
  static let fillers = Set(WordList.named("SecretWords.fillers"))
  static let codeFillers = Set(WordList.named("SecretWords.codeFillers"))
  /// The verbs with which a user says that they gave a secret.
  static let verbs = Set(WordList.named("SecretWords.verbs"))
  /// The verbs that stand between a name and its value.
  static let copulas = Set(WordList.named("SecretWords.copulas"))
  /// Verbs of other languages that are other words in English.
  static let notInEnglish: Set = ["on", "er", "je", "es", "era"]
  /// The marks that stand between a name and its value.
  static let marks = [":", "=>", "=", "->", "→", "：", "—", "–"].map { Array($0.utf8) }
  static let particles = [
    "は", "が", "を", "に", "는", "은", "이", "가", "를", "을", "로", "是", "为", "為", "：", "を使", "คือ",
  ].map { Array($0.utf8) }
  /// The beginnings of names of products and libraries that have digits as a password has.
  static let products = WordList.named("SecretWords.products")
  /// The verbs between a message and the code that it brings.
  static let ofMessages = Set(WordList.named("SecretWords.ofMessages"))
  /// The beginnings of what people add to what they always type.
  static let ofHabits = WordList.named("SecretWords.ofHabits")
  /// The words between a value and the name behind it.
  static let connectors = Set(WordList.named("SecretWords.connectors"))
  static let determiners = Set(WordList.named("SecretWords.determiners"))
  /// The words between the name of a secret and its owner: `the password for lee: lampwick5`.
  static let prepositions = Set(WordList.named("SecretWords.prepositions"))
  static let pronouns = Set(WordList.named("SecretWords.pronouns"))
  /// Parts of the words after which a text is about a failure and not about a value.
  static let ofFailures = WordList.named("SecretWords.ofFailures")
  /// Words that follow `the password is` or `with password`.
  static let ordinary = Set(WordList.named("SecretWords.ordinary"))
  /// The endings of such words, as in `authentication`.
  static let ordinaryEndings = WordList.named("SecretWords.ordinaryEndings")
  /// The endings of such words in other languages, as in `obligatoire` and `incorrecta`.
  static let foreignEndings = WordList.named("SecretWords.foreignEndings")
  /// The words between a verb and a secret.
  static let adverbs = Set(WordList.named("SecretWords.adverbs"))
  /// A label that is also a verb, and counts only before a colon.
  static let pass = Array("pass".utf8)
  static let algorithms = WordList.named("SecretWords.algorithms")
  /// Words before a code that is not a user's: `error code 593021`.
  static let ofOtherCodes = WordList.named("SecretWords.ofOtherCodes")
  /// Parts of the words behind a code that a user typed.
  static let typedBehind = WordList.named("SecretWords.typedBehind")
  /// Parts of the words before a code that a user typed, or received.
  static let ofTyping = WordList.named("SecretWords.ofTyping")
  /// The words with which a sentence goes on behind a phrase.
  static let endsOfPhrase = Set(WordList.named("SecretWords.endsOfPhrase"))
  /// The words of a sentence about a phrase.
  static let ofSentences = Set(WordList.named("SecretWords.ofSentences").map { $0[...] })
}
