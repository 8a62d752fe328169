/// An event or a result that the model handles.
enum Message: Sendable {
  case event(InputEvent)
  /// The real time of the event that follows.
  case time(Instant)
  case alarm(Alarm)
  case loaded(Loaded)
  case performed(AnyIntent, answers: [Answer], Performance)
  /// The progress of a long call.
  case callRuns(AnyIntent, CallProgress)
  /// A running step of the demo, with the result of its intent so far.
  case stepRuns(StepExecution, AnyIntent, Performance)
  /// The report of the step that was run now, or the reports of all steps that were rerun.
  case stepEnded(StepReport)
  case stepsRerun([StepReport])
  /// The result of the scenario with this name, which ran to its end.
  case scenarioRun(String, TrialResult)
  /// Evidence for the row with this name.
  case evidenceRead(TrialResult.Evidence, of: String)
  /// A demo that was started from these screens, and that the user has left.
  case demoLeft(Story)
  case failed(Problem)
  case said(String)
  /// The confirmation that files were written at the user's request.
  case written(String)
  /// A notice.
  ///
  /// Unlike `said`, it does not indicate a change of the store.
  case noted(Notice)
  /// A file has changed in a folder of the projects on the Doctor screen.
  case projectChanged
  case server(ServerNews)
  case bus(BusNews)
  /// A secret that the user asked to copy.
  case secret(Copy)
  /// A notice that a secret was copied to a clipboard that can be cleared.
  case secretCopied(Notice)
}

/// A test user of the lab with the password, which the sign-in page may fill in because all accounts of a lab are
/// invented.
struct TestPerson: Equatable, Sendable {
  var username: String
  var password: String
  var remark: String
}

/// An error in the three parts that are shown everywhere: what, why, and what next.
struct Problem: Equatable, Sendable {
  var what: String
  var why: String = ""
  var next: Advice = ""
}

extension Problem {
  /// Creates a problem from an error.
  ///
  /// Every error of the model has all three parts, and other errors have only a description.
  init(_ error: any Error) {
    if let error = error as? LabError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? StoreError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? BusError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? UnwritableFile {
      self.init(what: error.what, why: error.why, next: Advice(error.next))
    } else {
      self.init(what: "\(error)")
    }
  }
}
