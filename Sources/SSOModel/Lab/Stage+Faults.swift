import SSOCore
import SSOProvider

extension Stage {
  func addFault(_ fault: Fault) throws -> Outcome {
    try provider(.person, actor: "").addFault(fault)
    trace.add(.person, .provider, "set a fault", result: fault.words)
    return Outcome(.succeeded, "The provider answers \(fault.words).")
  }

  /// It may have come to its end meanwhile; one that a request counted is still the same.
  func clearFault(_ fault: Fault) throws -> Outcome {
    guard try provider(.person, actor: "").removeFault(fault) else {
      throw LabError(
        .nothingMatched, "This fault is not set any more.", why: "Requests may have used it up.",
        next: "ssoterm fault list")
    }
    trace.add(.person, .provider, "clear a fault", result: fault.words)
    return Outcome(.succeeded, "Cleared: \(fault.words).")
  }

  func clearFaults() throws -> Outcome {
    let provider = provider(.person, actor: "")
    let count = try provider.faults().count
    try provider.clearFaults()
    trace.add(.person, .provider, "clear the faults", result: "\(count) cleared")
    return Outcome(.succeeded, count == 1 ? "1 fault is cleared." : "\(count) faults are cleared.")
  }
}

extension Lab {
  /// The faults that are set at the provider, in the order they are tried.
  package func faults() throws -> [Fault] { try view { try $0.provider(.system, actor: "").faults() } }
}
