/// What commands act on: the marked rows of a screen, else the selected one.
struct Selection {
  /// The app in which another account is added: the selected one, or of an account the first that it is signed in to.
  var app: AppRow?
  /// Accounts whose access tokens are made to expire, by home account ID or username.
  var accounts: [String] = []
  /// The record behind the row.
  var record: RecordID?
  var trace: Int64?
  /// The trace that is open, which may be copied as a diagram.
  var openTrace: Trace?
  /// What "why?" is about, and why that cannot be asked.
  var why: WhySubject?
  var obstacleToWhy: String?
  /// The text in which codes are looked for.
  var explained = ""
  /// Whether only its first word may be meant as a state: the others are words of a sentence.
  var isSentenceExplained = false
  /// What is said where there is no code in it.
  var nothingToExplain = "There is no code here. :explain takes one."
  /// A trace whose outcome has to be read for that.
  var explainedTrace: Int64?
  /// What may be copied.
  var copies: [CopyItem: String] = [:]
  /// The credential whose secret may be copied.
  var token: TokenRow?
  /// What an audience should take from the screen.
  var sentence = ""
}
