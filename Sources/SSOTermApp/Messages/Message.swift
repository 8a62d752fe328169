/// Everything that can happen to the model.
enum Message: Sendable {
  case event(InputEvent)
  /// An event, and the real time of it.
  case time(Instant)
  case alarm(Alarm)
  case loaded(Loaded)
  case performed(Intent, answers: [Answer], Performance)
  /// A step of the demo runs, and this is what its intent came to so far.
  case stepRuns(StepExecution, Intent, Performance)
  /// All steps of the demo that were run so far, or the one that was run now.
  case stepEnded(StepReport)
  case stepsRerun([StepReport])
  case failed(Problem)
  case said(String)
  /// As `said`, but the store is as it was.
  case noted(Notice)
  case server(ServerNews)
  /// A secret that was asked for, to be copied.
  case secret(Copy)
  /// A secret was copied to where it can be cleared.
  case secretCopied(Notice)
}

/// An answer to ``Command/load(_:)``.
enum Loaded: Sendable {
  case status(LabStatus)
  case apps([AppRow])
  case accounts([AccountRow])
  /// Very many, or the first of them, and such rows as were read with them.
  case accountList(RowIndex, [RowID: AccountRow])
  /// More columns of the same rows.
  case accountDetails(RowIndex)
  case accountRows([RowID: AccountRow])
  case tokens(TokenTree)
  case tokenBranches([TokenBranch])
  /// A long branch: its headings, which are the first rows of the list, and the list.
  case tokenList(TokenScope, [TokenLine], RowIndex)
  case tokenRows([RowID: TokenRow])
  case detail(TokenDetail?, revealed: Bool)
  case groups([KeychainGroupRow])
  case items(group: String, [KeychainItemRow])
  case itemList(group: String, RowIndex)
  case itemRows([RowID: KeychainItemRow])
  case traces([TraceSummary])
  case trace(Trace?)
  case people([TestPerson])
  case blastRadius(Intent, BlastRadius)
  case visibility([Visibility])
  /// nil: what was asked about is no longer there.
  case why(WhySubject, Checklist?)
  case outcome(Trace?)
  case records([RecordRow])
  case provider(ProviderRows)
}

/// A test user of the lab, with the password: all accounts of a lab are invented, so the sign-in page may fill it in.
struct TestPerson: Equatable, Sendable {
  var username: String
  var password: String
  var remark: String
}

/// An error in the three parts every place shows: what, why, what next.
struct Problem: Equatable, Sendable {
  var what: String
  var why: String = ""
  var next: String = ""

  var line: String { [what, why, next].filter { !$0.isEmpty }.joined(separator: " ") }
}
