import SSOCore
import SSOLab

extension Evidence {
  /// Returns the difference of the lab's failing call from the call that the sources show, or `nil` if they show none.
  ///
  /// What no source shows is not compared.
  func difference(from step: Attempt.Step, by caller: Caller) -> String? {
    let isInLab = step.isSilentCall
    if let isSilent, let isInLab, isSilent != isInLab {
      return "the source's call is \(CallKind(isSilent: isSilent).rawValue), "
        + "and the lab's is \(CallKind(isSilent: isInLab).rawValue)"
    }
    return self.caller.difference(from: caller, sending: step.grant)
  }
}

extension Attempt.Step {
  /// The grant of a program's call, or `nil` for another step.
  var grant: CallProgram.Grant? {
    action[CallProgram.verb]?["grant"]?.asText.flatMap(CallProgram.Grant.init(rawValue:))
  }

  /// Whether the call shows no page, or `nil` for a call that never asks a person.
  var isSilentCall: Bool? {
    guard let call = action[CallProgram.verb] else { return action["silent"] != nil }
    switch grant {
    case .refreshToken: return true
    case .authorizationCode: return call["prompt"] == .text("none")
    case .deviceCode: return false
    case .password, .clientCredentials, .onBehalfOf, .managedIdentity, nil: return nil
    }
  }
}
