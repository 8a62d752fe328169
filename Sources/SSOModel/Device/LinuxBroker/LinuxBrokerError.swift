/// The reason that the broker rejects a call of a Linux program (docs/behaviour/linux-broker.md §5).
package struct LinuxBrokerError: Error, Hashable, Sendable {
  package var status: LinuxBrokerStatus
  /// The text that the program prints.
  package var context: String
  /// The AADSTS number of the provider's rejection, such as 53000, or `nil` if there was none.
  package var aadsts: Int?

  package init(_ status: LinuxBrokerStatus, _ context: String, aadsts: Int? = nil) {
    self.status = status
    self.context = context
    self.aadsts = aadsts
  }

  static func needsPerson(_ context: String) -> LinuxBrokerError {
    LinuxBrokerError(.interactionRequired, context)
  }

  /// Creates the program's error for the provider's response to a token request.
  init(_ response: HTTPResponse) {
    switch response.status {
    case 0: self.init(.noNetwork, "The provider cannot be reached.")
    case 429, 500...599:
      self.init(
        .serverTemporarilyUnavailable, "The provider answered with status \(response.status).")
    case 200: self.init(.networkTemporarilyUnavailable, "The provider's answer cannot be read.")
    default: self.init(OAuthError(reading: response))
    }
  }

  /// Creates the program's error for a rejection by the provider.
  package init(_ refusal: OAuthError) {
    let status: LinuxBrokerStatus =
      switch (refusal.code, refusal.aadsts.flatMap(AADSTSCode.init(number:))) {
      case (_, .accountDisabled?): .accountUnusable
      case (_, .deviceNotRegistered?): .deviceNotRegistered
      case (_, .accountNotInTenant?): .accountNotFound
      case (.serverError, _), (.temporarilyUnavailable, _): .serverTemporarilyUnavailable
      case (.invalidClient, _), (.unauthorizedClient, _), (.invalidScope, _), (.invalidRequest, _),
        (.invalidResource, _), (.invalidTenant, _):
        .incorrectConfiguration
      case _ where refusal.suberror == OAuthSuberror.userAccountDeleted.text: .accountNotFound
      default: .interactionRequired
      }
    self.init(status, refusal.message, aadsts: refusal.aadsts)
  }

  /// Whether a page at the provider may resolve the error.
  var isForAPerson: Bool { status == .interactionRequired || status == .deviceNotRegistered }

  /// Returns the JSON of the error as the method returns it: in a token response, or at the top level.
  package func json(for method: LinuxBrokerMethod) -> JSONValue {
    let code = Int64(aadsts ?? 0)
    guard method.givesTokens else {
      return [
        "error": [
          "context": .string(context), "code": .integer(code), "status": .integer(Int64(status.number)),
        ]
      ]
    }
    return [
      "brokerTokenResponse": [
        "error": [
          "context": .string(context), "errorCode": .integer(code),
          "status": .integer(Int64(status.number)), "subStatus": .integer(0), "tag": .integer(0),
        ]
      ]
    ]
  }
}
