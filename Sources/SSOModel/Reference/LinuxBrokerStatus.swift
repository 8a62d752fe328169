/// `status` of an error that the broker on Linux returns (docs/behaviour/linux-broker.md §5).
///
/// The cases are in the order of their numbers, starting with 0.
package enum LinuxBrokerStatus: String, ExplainedCode {
  case unexpected = "Status_Unexpected"
  case reserved = "Status_Reserved"
  case interactionRequired = "Status_InteractionRequired"
  case noNetwork = "Status_NoNetwork"
  case networkTemporarilyUnavailable = "Status_NetworkTemporarilyUnavailable"
  case serverTemporarilyUnavailable = "Status_ServerTemporarilyUnavailable"
  case apiContractViolation = "Status_ApiContractViolation"
  case userCanceled = "Status_UserCanceled"
  case applicationCanceled = "Status_ApplicationCanceled"
  case incorrectConfiguration = "Status_IncorrectConfiguration"
  case insufficientBuffer = "Status_InsufficientBuffer"
  case authorityUntrusted = "Status_AuthorityUntrusted"
  case notUsed = "Status_12"
  case accountUnusable = "Status_AccountUnusable"
  case userDataRemovalRequired = "Status_UserDataRemovalRequired"
  case transientError = "Status_TransientError"
  case accountSwitch = "Status_AccountSwitch"
  case deviceNotRegistered = "Status_DeviceNotRegistered"
  case keyNotFound = "Status_KeyNotFound"
  case accountNotFound = "Status_AccountNotFound"
  case requiredBrokerMissing = "Status_RequiredBrokerMissing"
  case fallbackToNativeMsal = "Status_FallbackToNativeMsal"

  package var family: Explanation.Family { .linuxBroker }

  /// The number in the response, 0 to 21.
  package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}
