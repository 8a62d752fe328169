import SSOCore

/// Why an app's side of the broker protocol stopped, in IdentityCore's codes (fact sheet §6.2); each SDK gives the app its own
/// code for the same (§6.1, §6.3).
struct BrokerFault: Error, Hashable {
  enum Code: Int, CaseIterable {
    case interactiveSessionRunning = -51710
    case responseNotReceived = -51800
    case noResumeState = -51801
    case badResumeState = -51802
    case mismatchedResumeState = -51803
    case hashMissing = -51804
    case corrupted = -51805
    case decryptionFailed = -51806
    case hashMismatch = -51807
    case keyFailedToCreate = -51808
    case keyNotFound = -51809
  }

  var code: Code
  var reason: String
  /// The check that failed, if one did.
  var check: Check?

  init(_ code: Code, _ reason: String, check: Check? = nil) {
    self.code = code
    self.reason = reason
    self.check = check
  }
}

extension BrokerFault.Code {
  /// MSAL's internal code; the app sees -50000.
  var msal: Int { IdentityCore.msalCode(rawValue) }

  /// ADAL's code. It has none for a missing key: it made one when it asked, and makes another now (504).
  var adal: Int {
    switch self {
    case .interactiveSessionRunning: 400
    case .responseNotReceived: 503
    case .noResumeState: 507
    case .badResumeState: 508
    case .mismatchedResumeState: 509
    case .hashMissing: 510
    case .corrupted: 506
    case .decryptionFailed: 505
    case .hashMismatch: 502
    case .keyFailedToCreate, .keyNotFound: 504
    }
  }
}

extension MSALError {
  init(_ fault: BrokerFault, correlationID: String? = nil) {
    self.init(code: fault.code.msal, fault.reason, correlationID: correlationID)
    failedCheck = fault.check
  }
}
