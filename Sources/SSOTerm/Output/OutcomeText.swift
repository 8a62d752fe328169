import SSOCore
import SSODevice
import SSOReference
import SSOTermApp

extension Outcome {
  /// Returns the problem, its cause, and the next command for an outcome other than success.
  func failure(traceID: Int64, next fallback: String) -> CommandFailure {
    var why = errorText ?? "the outcome is “\(verdict.rawValue)”"
    // If the failed check found only the error, the text of the error is enough.
    if let check = failedCheck, errorText?.contains(check.found) != true {
      if summary == check.reason + "." {
        why = "expected \(check.expected), found \(check.found)"
      } else {
        why = check.failure != nil && check.contrast == nil ? check.reason : check.reasonInFull
      }
      if let errorText { why += (why.hasSuffix(".") ? " " : ". ") + errorText }
    }
    let kind =
      switch status {
      case .signInNeeded: "signInNeeded"
      case .cancelled: "cancelled"
      default: failedCheck == nil ? "fault" : "failedCheck"
      }
    return CommandFailure(
      status: status, kind: kind, what: summary, why: why, next: next?.commandLine ?? fallback)
  }
}

extension Console {
  /// Prints the outcome of an intent as a line or a document, and a failure also on stderr.
  func show(
    _ result: (outcome: Outcome, traceID: Int64), next: String? = nil,
    line: (Outcome) -> String = { $0.summary }, details: (Outcome) -> [String] = { _ in [] }
  ) throws -> ExitStatus {
    let (outcome, traceID) = result
    let document = outcome.json(traceID: traceID, unmasked: unmask)
    let traceCommand = "ssoterm trace show \(traceID)"
    guard outcome.verdict != .succeeded else {
      return try show(document) {
        var text = ink.draw("✓ ", .good) + ink.draw(line(outcome))
        for detail in details(outcome) { text += "\n  " + ink.draw(detail) }
        if unmask, let token = outcome.accessToken { text += "\n" + ink.draw(token) }
        return text
      }
    }
    var failure = outcome.failure(traceID: traceID, next: traceCommand)
    if let next, failure.status == .signInNeeded { failure.next = next }
    complain(failure.text)
    if json {
      print(document: document.adding(["next": .string(failure.next), "error": failure.json]))
    }
    return failure.status
  }
}

extension Outcome {
  /// The exit status of a command with this outcome.
  var status: ExitStatus {
    switch verdict {
    case .succeeded: .done
    case .cancelled: .cancelled
    case .failed:
      switch errorDomain {
      case "MSALErrorDomain": Self.status(ofMSALCode: errorCode)
      case ADALError.Domain.authentication.rawValue:
        errorCode == ADALCode.serverUserInputNeeded.number ? .signInNeeded : .fault
      case "MsalUiRequiredException": .signInNeeded
      default: .fault
      }
    }
  }

  private static func status(ofMSALCode code: Int?) -> ExitStatus {
    switch code.flatMap(MSALCode.init(number:)) {
    case .interactionRequired: .signInNeeded
    case .userCanceled: .cancelled
    default: .fault
    }
  }
}
