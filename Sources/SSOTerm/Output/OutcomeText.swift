import SSOCore
import SSODevice
import SSOReference
import SSOTermApp
import SafeText

extension Outcome {
  /// Returns the problem, its cause, and the next command for an outcome other than success.
  ///
  /// The error as the SDK prints it is in the JSON document and in the trace; a line has only its codes.
  func failure(next fallback: String) -> CommandFailure {
    let kind =
      switch status {
      case .signInNeeded: "signInNeeded"
      case .cancelled: "cancelled"
      default: failedCheck == nil ? "fault" : "failedCheck"
      }
    let accounts = next?.actions.compactMap { $0.verb == .silent ? $0.details[.account] : nil } ?? []
    let needsSignIn = status == .signInNeeded
    let what =
      !accounts.isEmpty ? "The call fails" : needsSignIn ? "The app needs sign-in" : statement
    let sentence =
      needsSignIn ? clause(statement) : errorText == nil ? "the outcome is “\(verdict.rawValue)”" : ""
    var failure = CommandFailure(
      status: status, kind: kind, what: what + codeText + ".", why: reason ?? sentence,
      next: next?.commandLine ?? fallback)
    failure.ordinaryValues = ordinaryValues
    // A call that did not name one of several accounts succeeds for each of them.
    if let first = accounts.first {
      failure.next = Self.sameCommand(for: first)
      failure.others = accounts.dropFirst().map(Self.sameCommand)
    }
    return failure
  }

  private static func sameCommand(for account: String) -> String {
    "the same command with --account \(shellWord(account))"
  }

  /// The reason, or `nil` if the failed check found only the error, or if there is none.
  private var reason: String? {
    guard let check = failedCheck, errorText?.contains(check.found) != true else { return nil }
    guard summary != check.reason + "." else { return "expected \(check.expected), found \(check.found)" }
    let isWhole = check.failure.map { check.contrast == nil || $0.contains(check.found) } ?? false
    return isWhole ? check.reason : check.reasonInFull
  }

  /// The values of the failed check that need no mask: redirect URIs, and the lab's own fault.
  private var ordinaryValues: [String] {
    guard let check = failedCheck else { return [] }
    if check.source == "the lab's faults" { return [check.found].filter { !$0.isEmpty } }
    return [check.expected, check.found].filter { value in
      value.contains("://") && !value.contains { "?@".contains($0) }
    }
  }

  /// The summary without the provider's IDs and time, which the trace has, and without a full stop.
  private var statement: String {
    let end = summary.firstRange(of: " Trace ID: ")?.lowerBound ?? summary.endIndex
    // An exception's message may have several lines, such as those of a manifest.
    return summary[..<end].split { $0.isNewline || $0 == "\t" }.joined(separator: " ").withoutStop
  }

  /// The codes of an SDK's error in parentheses, or an empty text if no SDK failed.
  private var codeText: String {
    guard let errorDomain else { return "" }
    let code = (error?.code ?? errorCode).map(String.init) ?? error?.symbol
    let domain = [errorDomain, code].compactMap(\.self).joined(separator: " ")
    // An Android exception has the provider's error as its code.
    let oauth = error?.oauth == code ? nil : error?.oauth
    let more = [error?.internalCode.map(String.init), oauth, error?.suberror]
    return " (" + ([domain] + more).compactMap(\.self).joined(separator: ", ") + ")"
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
        var text = ink.paragraph(InkedText("✓ ", .good), [InkedText(line(outcome))])
        for detail in details(outcome) { text += "\n" + ink.sentence(detail, indent: 2) }
        if unmask, let token = outcome.accessToken { text += "\n" + ink.draw(token) }
        return text
      }
    }
    var failure = outcome.failure(next: traceCommand)
    if let next, failure.status == .signInNeeded, failure.others.isEmpty { failure.next = next }
    complain(failure)
    if json {
      print(document: document.adding(["next": .string(failure.commandToTry), "error": failure.json]))
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
