import Foundation
import SSOCore
import SSODevice
import SSOReference

extension Outcome {
  /// As JSON for the trace table.
  var encoded: String {
    (try? encodeJSON(self)).flatMap { String(bytes: $0, encoding: .utf8) } ?? "{}"
  }

  init?(encoded: String) {
    guard let outcome = try? decodeJSON(Outcome.self, from: Data(encoded.utf8)) else { return nil }
    self = outcome
  }

  /// An SDK's refusal, in its own print.
  init(_ error: MSALError, prompted: Bool, failedCheck: Check?) {
    let cancelled = error.code == MSALCode.userCanceled.number
    self.init(
      cancelled ? .cancelled : .failed, cancelled ? "Cancelled by the person." : error.description,
      errorText: error.printed, errorDomain: error.domain, errorCode: error.internalCode ?? error.code,
      failedCheck: failedCheck,
      next: error.code == MSALCode.interactionRequired.number
        && ![OAuthSuberror.additionalAction, .messageOnly].map(\.text).contains(error.suberror)
        ? "Sign in with a person: ssoterm signin APP" : nil, prompted: prompted)
  }
}
