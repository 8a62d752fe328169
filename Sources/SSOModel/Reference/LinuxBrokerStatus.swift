/// `status` of an error that the broker on Linux answers (docs/behaviour/linux-broker.md §5).
///
/// The cases are in the order of their numbers, from 0 on.
// swift-format-ignore
package enum LinuxBrokerStatus: CodeEntry, ExplainedCode {
  case unexpected = "Status_Unexpected: The broker failed. Cause: An error inside the broker, or a fault. Remedy: Look at the trace."
  case reserved = "Status_Reserved: Not used. Cause: Only a fault set in the lab. Remedy: Clear the fault. Not raised here."
  case interactionRequired = "Status_InteractionRequired: A person is needed. Cause: The primary refresh token has expired or was revoked, consent is missing, or a policy refuses. Remedy: Call interactively; the context names the AADSTS number."
  case noNetwork = "Status_NoNetwork: The provider cannot be reached. Cause: No network; in the lab, the fault unreachable or hang. Remedy: Try again when there is a network."
  case networkTemporarilyUnavailable = "Status_NetworkTemporarilyUnavailable: The provider's answer could not be read. Cause: It is truncated. Remedy: Try again."
  case serverTemporarilyUnavailable = "Status_ServerTemporarilyUnavailable: The provider answers with status 429 or 5xx, or with server_error. Cause: A failure of the provider. Remedy: Try again later."
  case apiContractViolation = "Status_ApiContractViolation: The request is not as the interface requires. Cause: It is not JSON, lacks a field, or has a field of another type. Remedy: The context names the field."
  case userCanceled = "Status_UserCanceled: The person closed the picker or a page. Cause: Esc, consent refused, or ten minutes without an answer. Remedy: Nothing."
  case applicationCanceled = "Status_ApplicationCanceled: The program cancelled its call. Cause: cancelInteractiveFlow. Remedy: Nothing."
  case incorrectConfiguration = "Status_IncorrectConfiguration: The program may not make this request. Cause: The client ID, the redirect URI or a scope is not registered, or a policy allows only other programs. Remedy: Compare with the registration and the policies of the tenant; in the lab: {list policy}."
  case insufficientBuffer = "Status_InsufficientBuffer: A buffer is too small. Cause: An error inside the runtime library. Remedy: None. Not raised here."
  case authorityUntrusted = "Status_AuthorityUntrusted: The authority's host is not known. Cause: Another cloud, or another host than the lab's. Remedy: Use login.microsoftonline.com or localhost."
  case notUsed = "Status_12: The runtime library reports neither an error nor an account. Cause: Only a fault set in the lab. Remedy: Clear the fault. Not raised here."
  case accountUnusable = "Status_AccountUnusable: The account may not be used. Cause: It is disabled, or blocked on this device. Remedy: Choose another account."
  case userDataRemovalRequired = "Status_UserDataRemovalRequired: The program must delete the person's data. Cause: Device management wiped the account. Remedy: Delete it. Not raised here."
  case transientError = "Status_TransientError: A temporary failure. Cause: Only a fault set in the lab. Remedy: Try again. Not raised here."
  case accountSwitch = "Status_AccountSwitch: Another account signed in than the one that was asked for. Cause: The person typed another name. Remedy: Use the account of the answer, or ask again. Not raised here."
  case deviceNotRegistered = "Status_DeviceNotRegistered: The device is not registered. Cause: A policy requires a registered device. Remedy: Sign in once interactively: the broker then registers it."
  case keyNotFound = "Status_KeyNotFound: The session key of the primary refresh token is missing. Cause: An older version of ssoterm stored the account. Remedy: Sign in again."
  case accountNotFound = "Status_AccountNotFound: The broker does not hold this account. Cause: It was removed, or never signed in here. Remedy: Call interactively."
  case requiredBrokerMissing = "Status_RequiredBrokerMissing: There is no broker. Cause: No program owns com.microsoft.identity.broker1. Remedy: Install and start the broker; in the lab: {serveBroker}. Not raised here."
  case fallbackToNativeMsal = "Status_FallbackToNativeMsal: The program should sign in without the broker. Cause: Only a fault set in the lab. Remedy: Clear the fault. Not raised here."

  package var family: Explanation.Family { .linuxBroker }

  /// As written in the answer, 0 to 21.
  package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}
