/// Everything that can happen to the model.
enum Message: Sendable {
  case event(InputEvent)
  /// An event, and the real time of it.
  case time(Instant)
  case alarm(Alarm)
  case loaded(Loaded)
  case performed(Intent, answers: [Answer], Performance)
  /// What a long call has done so far.
  case callRuns(Intent, CallProgress)
  /// A step of the demo runs, and this is what its intent came to so far.
  case stepRuns(StepExecution, Intent, Performance)
  /// All steps of the demo that were run so far, or the one that was run now.
  case stepEnded(StepReport)
  case stepsRerun([StepReport])
  /// A scenario of this name was run to its end.
  case scenarioRun(String, TrialResult)
  /// Evidence for the row of this name.
  case evidenceRead(TrialResult.Evidence, of: String)
  /// A demo that was started from these screens was left.
  case demoLeft(Story)
  case failed(Problem)
  case said(String)
  /// Files were written, which a person waited for.
  case written(String)
  /// As `said`, but the store is as it was.
  case noted(Notice)
  /// A file was changed in a folder of the projects that the Doctor screen shows.
  case projectChanged
  case server(ServerNews)
  case bus(BusNews)
  /// A secret that was asked for, to be copied.
  case secret(Copy)
  /// A secret was copied to where it can be cleared.
  case secretCopied(Notice)
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

extension Problem {
  /// Every error of the model says what, why and what next; others say what they can.
  init(_ error: any Error) {
    if let error = error as? LabError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? StoreError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? BusError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? UnwritableFile {
      self.init(what: error.what, why: error.why, next: error.next)
    } else {
      self.init(what: "\(error)")
    }
  }
}
