import SSOCore
import SSOProvider
import SSOReference

/// A fault that is set at the provider, in addition to the existing faults.
package struct AddFault: Intent {
  package static let verb = "fault"
  var fault: Fault

  package init(_ fault: Fault) { self.fault = fault }

  package var displayText: String { "fault \(fault.displayText)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    guard fault.fitsEndpoint else {
      throw LabError(
        .badInput, "The fault \(fault.kind.text) cannot happen at \(fault.endpoint.rawValue).",
        why: "The broker's methods answer a status from 0 to 21, and only they do.",
        next: "\(.addFault, "broker:acquireTokenSilently", "2")")
    }
    try transaction.provider(.person, actor: "").addFault(fault)
    transaction.trace.add(.person, .provider, "set a fault", result: fault.displayText)
    return Outcome(.succeeded, "The provider answers \(fault.displayText).")
  }
}

/// The removal of one fault of the provider.
///
/// The fault may have ended in the meantime. A fault that a request has counted is still the same.
package struct ClearFault: Intent {
  package static let verb = "clearFault"
  var fault: Fault

  package init(_ fault: Fault) { self.fault = fault }

  package var displayText: String { "clear the fault \(fault.displayText)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    guard try transaction.provider(.person, actor: "").removeFault(fault) else {
      throw LabError(
        .nothingMatched, "This fault is no longer set.", why: "Requests may have used up its count.",
        next: "\(.faults)")
    }
    transaction.trace.add(.person, .provider, "clear a fault", result: fault.displayText)
    return Outcome(.succeeded, "Cleared: \(fault.displayText).")
  }
}

/// The removal of all faults of the provider.
package struct ClearFaults: Intent {
  package static let verb = "clearFaults"

  package init() {}

  package var displayText: String { "clear the faults" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let provider = transaction.provider(.person, actor: "")
    let count = try provider.faults().count
    try provider.clearFaults()
    transaction.trace.add(.person, .provider, "clear the faults", result: "\(count) cleared")
    return Outcome(.succeeded, "\(counted(count, "fault")) \(count == 1 ? "is" : "are") cleared.")
  }
}
