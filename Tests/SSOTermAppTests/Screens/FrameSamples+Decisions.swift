@testable import SSOCore
@testable import SSOLab
@testable import SSOTermApp

extension FrameSample {
  /// The samples of "Why?", and of the dialogs that it opens.
  static let decisions = [
    FrameSample("why", suite: "w"), FrameSample("why-heading", suite: "wgjjjj"),
    FrameSample("why-rule", suite: "w\r"), FrameSample("why-second-app", suite: "wwapp2"),
    FrameSample("explain", suite: "3W"), FrameSample("why-fails", why(.app("com.contoso.mail"))),
  ]

  static func why(_ subject: WhySubject) -> AppModel {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.why(subject, Sample.checklist)))
    return model
  }
}

extension Sample {
  static let checklist = Checklist(
    title: "Why Mail is not silent",
    answer: "The next silent call would prompt: No token matching arguments found in the cache, -50002.",
    cause: failed,
    sections: [
      Checklist.Section(title: "The application object", checks: [passed]),
      Checklist.Section(
        title: "The next silent call",
        checks: [
          passed, failed,
          Check(
            "access token in the cache", expected: "more than 300 s left", found: "MSALErrorDomain -50002",
            false, source: "silent-call.md §1(2)"),
        ]),
      Checklist.Section(
        title: "The broker in an interactive call",
        checks: [
          Check(
            "msauthv2 can be opened", expected: "yes", found: "not asked", verdict: .skipped,
            source: "broker.md §1")
        ]),
    ])
}
