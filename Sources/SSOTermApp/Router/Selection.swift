/// The rows that commands act on: the marked rows of a screen, or else the selected row.
struct Selection {
  /// The app to add another account to: the selected app, or the first app that the selected account is signed in to.
  var app: AppRow?
  /// The accounts whose access tokens can be made to expire, by home account ID or username.
  var accounts: [String] = []
  /// The record behind the row.
  var record: RecordID?
  var trace: Int64?
  /// The open trace, which can be copied as a diagram.
  var openTrace: Trace?
  /// The subject of a “why?” question, and the reason that the question is not available.
  var why: WhySubject?
  var obstacleToWhy: String?
  /// The text that is searched for codes to explain.
  var explained = ""
  /// Whether only the first word can be a state, because the other words belong to a sentence.
  var isSentenceExplained = false
  /// The message if the text does not contain a code.
  var nothingToExplain = "There is no code here. :explain takes one."
  /// A trace whose outcome must be read for the explanation.
  var explainedTrace: Int64?
  /// The values that can be copied.
  var copies: [CopyItem: String] = [:]
  /// The credential whose secret can be copied.
  var token: TokenRow?
  /// The sentence that sums up the screen for an audience.
  var sentence = ""
}
