import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// A Conditional Access policy that an administrator adds or changes.
package struct SetPolicy: Intent {
  package static let verb = "policy"
  var policy: Policy

  package init(_ policy: Policy) { self.policy = policy }

  package var displayText: String { "policy \(policy.name): \(policy.requires.rawValue)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      guard !policy.name.isEmpty, policy.name.count <= 80 else {
        throw LabError(
          .badInput, "A policy needs a name.", why: "Expected 1 to 80 characters.",
          next: "\(.add, "policy", "NAME", with: [.require: "compliantDevice"])")
      }
      guard (policy.requires == .allowedExecutable) == (policy.executables?.isEmpty == false),
        policy.requires != .allowedExecutable || (policy.username == nil && policy.tenantID == nil)
      else {
        throw LabError(
          .badInput, "Policy “\(policy.name)” cannot be set.",
          why:
            "allowedExecutable is for Linux programs: it takes paths and a client, but not a user or a tenant.",
          next: "\(.add, "policy", "NAME", with: [.require: "allowedExecutable", .executable: "/usr/bin/az"])"
        )
      }
      if let name = policy.username { _ = try transaction.directory.knownPerson(name) }
      try transaction.store.save(policy)
      try transaction.store.noteChange(of: policy, at: transaction.now)
      transaction.trace.add(.system, .provider, "set policy “\(policy.name)”", result: policy.displayText)
      return Outcome(.succeeded, "Policy “\(policy.name)”: \(policy.displayText).")
    }
  }
}

extension Directory {
  /// - Throws: `LabError`, with the nearest name, if the user does not exist.
  func knownPerson(_ username: String) throws -> DirectoryUser {
    guard let person = try person(username: username) else {
      throw LabError.unknown(
        .unknownAccount, "user", username, among: try people().map(\.username), list: "\(.list, "person")")
    }
    return person
  }
}

extension Policy {
  /// The requirement, and the users that it applies to.
  package var displayText: String {
    let demand =
      switch requires {
      case .registeredDevice: "a registered device"
      case .compliantDevice: "a compliant device"
      case .approvedApp: "an approved app"
      case .appProtection: "an app that Intune protects"
      case .certificate: "sign-in with a certificate"
      case .mfa: "a second factor"
      case .block:
        flow == nil ? "nothing can satisfy it" : "nothing can satisfy it, for sign-ins with a device code"
      case .signInFrequency: "a sign-in in the last \(seconds / 3600) h"
      case .joinedDevice: "a device of a domain"
      case .managedDevice: "a managed device"
      case .externalControl: "a control outside of Entra ID, on its page"
      case .tokenProtection: "tokens that are bound to the device"
      case .securityDefaults: "sign-ins without device codes (security defaults)"
      case .supportedPlatform: "a platform that Conditional Access knows"
      case .deviceAuthentication: "a device that proves which one it is"
      case .allowedExecutable: "one of the Linux programs " + (executables ?? []).joined(separator: " or ")
      }
    let scope = [
      username.map { "for \($0)" }, tenantID.map { "in tenant \($0)" }, clientID.map { "in client \($0)" },
    ]
    return ([demand] + scope.compactMap(\.self)).joined(separator: " ")
  }
}

/// The removal of a Conditional Access policy.
package struct RemovePolicy: Intent {
  package static let verb = "removePolicy"
  var name: String

  package init(name: String) { self.name = name }

  package var displayText: String { "remove policy \(name)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      guard try transaction.store.removePolicy(name) else {
        throw LabError.unknown(
          .nothingMatched, "policy", name, among: try transaction.directory.policies().map(\.name),
          list: "\(.list, "policy")")
      }
      transaction.trace.add(.system, .provider, "remove policy “\(name)”", result: "done")
      return Outcome(.succeeded, "Policy “\(name)” is removed.")
    }
  }
}

/// The compliance state that device management reports for the current device.
package struct SetCompliance: Intent {
  package static let verb = "compliance"
  var isCompliant: Bool

  package init(_ isCompliant: Bool) { self.isCompliant = isCompliant }

  package var displayText: String { "device is \(isCompliant ? "compliant" : "not compliant")" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      let device = transaction.device
      try transaction.store.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
      let word = isCompliant ? "compliant" : "not compliant"
      transaction.trace.add(
        .system, .provider, "device management reports \(device.name)", result: word)
      return Outcome(.succeeded, "\(device.name) is \(word).")
    }
  }
}
