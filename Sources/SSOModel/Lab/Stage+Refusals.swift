import SSOCore
import SSODevice
import SSOKeychain
import SSOReference

extension Stage {
  /// Runs an intent. What an SDK or the keychain refuses outside of a token call is an outcome as well: a list that cannot
  /// be read because the device is locked, or because the group is not in the entitlements.
  func carryOut(_ intent: Intent, correlationID: String) throws -> Outcome {
    do {
      return try run(intent, correlationID: correlationID)
    } catch let error as MSALError {
      trace.add(.sdk, .app, "error", result: error.printed)
      return Outcome(error, prompted: !prompts.isEmpty, failedCheck: error.failedCheck ?? lastFailedCheck)
    } catch let error as ADALError {
      trace.add(.sdk, .app, "error", result: error.printed)
      return Outcome(error, prompted: !prompts.isEmpty, failedCheck: error.failedCheck ?? lastFailedCheck)
    } catch let error as KeychainError {
      return Outcome(
        .failed, "The keychain refuses: \(error.name).", errorDomain: "NSOSStatusErrorDomain",
        errorCode: error.number, failedCheck: lastFailedCheck, prompted: !prompts.isEmpty)
    }
  }
}
