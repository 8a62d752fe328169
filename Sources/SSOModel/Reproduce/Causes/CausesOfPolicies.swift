import SSOReference

/// The causes in the organisation's policies.
extension Cause {
  /// The call itself is the first change, proposed if the policy lets the user satisfy it at the sign-in.
  private static func policy(
    _ requirement: String, _ codes: [AADSTSCode], _ text: String, _ question: String, broker: Bool = false,
    isSilent: Bool, mends: [Mend] = []
  ) -> Cause {
    let set = Step.action(
      "A policy asks for more", ["policy": ["name": "Policy", "requires": .text(requirement)]])
    return Cause(
      name: "policy-\(requirement)" + (isSilent ? "" : broker ? "-at-broker" : "-at-sign-in"),
      codes: codes.map(\.text), text: text, question: question, changes: broker ? [.broker] : [],
      before: isSilent ? [.signIn, set] : [set], call: isSilent ? .refresh : .interactive,
      mends: mends + (isSilent ? [.signInAgain] : []) + [.withoutPolicy("Policy")])
  }

  /// The broker registers the device and vouches for the app.
  private static let throughBroker = Mend(
    kind: .call,
    text:
      "Acquire the token interactively through the broker: $interactively, with Microsoft Authenticator installed, which "
      + "registers the device.",
    steps: [["installBroker": .map([])]], moment: .beforeCall, call: .interactive)

  private static let throughBrokerIfCompliant = Mend(
    kind: .device,
    text:
      "Enrol the device, so that its management reports it as compliant, and acquire the token interactively through "
      + "the broker: $interactively.",
    steps: [["installBroker": .map([])], ["compliance": ["compliant": true]]], moment: .beforeCall,
    call: .interactive)

  /// A policy that refuses the program which polls, whatever the user does on the page.
  private static func ofDeviceCode(
    _ requirement: String, _ code: AADSTSCode, _ text: String, _ question: String
  ) -> Cause {
    var cause = policy(requirement, [code], text, question, isSilent: false)
    cause.name = "policy-\(requirement)-at-device-code"
    cause.callers = device
    if ["supportedPlatform", "securityDefaults"].contains(requirement) {
      cause.mends.insert(signInWithBrowser, at: 0)
    }
    return cause
  }

  /// The browser's `User-Agent` names the platform.
  private static let signInWithBrowser = Mend.call(
    Call.interactive.with("grant", "authorizationCode").answering([
      "username": "$user", "password": "$password", "consent": "accept",
    ]),
    "Sign in with the browser of the same machine in place of a device code: for the Azure CLI, az login without "
      + "--use-device-code.")

  private static let giveSecondFactor = Mend.call(
    .interactive.answering([
      "username": "$user", "password": "$password", "verification": "shown", "consent": "accept",
    ]),
    "When the silent call reports that interaction is required, acquire the token interactively: the user gives the "
      + "second factor, or registers one first.")

  static let ofPolicies: [Cause] = [
    policy(
      "compliantDevice", [.deviceNotCompliant], "A policy requires a compliant device, and this one is not.",
      "Is the device listed as compliant in Intune?", isSilent: true, mends: [throughBrokerIfCompliant]),
    policy(
      "compliantDevice", [.deviceNotCompliant], "A policy requires a compliant device, and this one is not.",
      "Does the app call the broker, and is the device managed?", broker: true, isSilent: false,
      mends: [
        Mend(
          kind: .device, text: "Enrol the device, so that device management reports it as compliant.",
          steps: [["compliance": ["compliant": true]]], moment: .beforeCall)
      ]),
    policy(
      "registeredDevice", [.deviceNotRegistered, .brokerNotInstalled],
      "A policy requires a registered device.", "Is the device registered in the directory?", isSilent: true,
      mends: [throughBroker]),
    policy(
      "managedDevice", [.managedDeviceRequired], "A policy requires a managed device, and this one is not.",
      "Does device management list the device, and does the app call the broker?", isSilent: true,
      mends: [throughBrokerIfCompliant]),
    policy(
      "managedDevice", [.managedDeviceRequired], "A policy requires a managed device, and this one is not.",
      "Does the app call the broker, and is the device managed?", broker: true, isSilent: false,
      mends: [
        Mend(
          kind: .device, text: "Enrol the device, so that device management knows it.",
          steps: [["compliance": ["compliant": true]]], moment: .beforeCall)
      ]),
    policy(
      "joinedDevice", [.deviceNotJoined], "A policy requires a device that is joined to the domain.",
      "Which policy do the sign-in logs name, and can such a device be joined at all?", isSilent: true),
    policy(
      "joinedDevice", [.deviceStateUnsupported, .deviceNotJoined],
      "A policy requires a device that is joined to the domain.",
      "Which policy do the sign-in logs name, and can such a device be joined at all?", isSilent: false),
    policy(
      "externalControl", [.externalChallenge],
      "A policy sends the user to another vendor's page or to terms of use, which this call cannot show.",
      "Was the policy added after the last sign-in, or is the call without a page?", isSilent: true),
    policy(
      "tokenProtection", [.tokenNotBound],
      "A policy requires tokens that are bound to the device, and an app's own refresh token is not.",
      "Does the error come when a program renews a token without the broker (WAM, Company Portal, Authenticator)?",
      isSilent: true, mends: [throughBroker]),
    policy(
      "tokenProtection", [.tokenNotBound],
      "A policy requires tokens that are bound to the device, and a sign-in without the broker does not get them.",
      "Does the sign-in page itself say that a security policy requires token protection?",
      isSilent: false),
    policy(
      "deviceAuthentication", [.deviceAuthenticationNeeded],
      "A policy requires that the device proves which one it is, and the request does not carry this proof.",
      "Is the device registered, and does the program ask through the broker?", isSilent: true,
      mends: [throughBroker]),
    ofDeviceCode(
      "deviceAuthentication", .deviceAuthenticationNeeded,
      "A policy requires that the device proves which one it is, which a sign-in with a device code cannot.",
      "Does the program sign in with a device code, or with a library that does not use the broker?"),
    ofDeviceCode(
      "supportedPlatform", .platformNotSupported,
      "A policy is for certain platforms, and Entra cannot tell the platform of a program that uses a device code.",
      "Does the program sign in with a device code, or does its browser run on another system than those four?"
    ),
    ofDeviceCode(
      "securityDefaults", .blockedBySecurityDefaults,
      "The organisation has security defaults, which block sign-ins with a device code.",
      "Is the tenant new, or were security defaults switched on (Entra ID › Properties)?"),
    policy(
      "approvedApp", [.appNotApproved], "A policy requires an app of the list of approved apps.",
      "Which policy do the sign-in logs name?", isSilent: true, mends: [throughBroker]),
    policy(
      "mfa", [.mfaRequired], "A policy requires a second factor, which this sign-in did not have.",
      "Was the policy added after the last sign-in?", isSilent: true,
      mends: [giveSecondFactor]),
    Cause(
      name: "second-factor-must-be-registered", codes: [AADSTSCode.mfaEnrollmentByPolicy.text],
      text: "A policy requires a second factor, and the user has not registered one.",
      question: "Has the user ever set up multifactor authentication?",
      before: [
        .signIn,
        .action(
          "The user has no second factor",
          ["set": ["person": "$user", "fields": ["hasNoSecondFactor=yes"]]]),
        .action("A policy asks for more", ["policy": ["name": "Policy", "requires": "mfa"]]),
      ], call: .refresh, mends: [giveSecondFactor, .withoutPolicy("Policy")]),
    Cause(
      name: "account-must-register-second-factor", codes: [AADSTSCode.mfaEnrollment.text],
      text: "The account needs a second factor, and the user has not registered one.",
      question: "Was multifactor authentication enabled for the account after the last sign-in?",
      before: [
        .signIn,
        .action(
          "Multifactor authentication is enabled for the account",
          ["set": ["person": "$user", "fields": ["requiresMFA=yes", "hasNoSecondFactor=yes"]]]),
      ], call: .refresh,
      mends: [
        giveSecondFactor,
        Mend(
          kind: .account,
          text: "The administrator excludes the account from multifactor authentication.",
          steps: [["set": ["person": "$user", "fields": ["requiresMFA=no"]]]], moment: .beforeCall),
      ]),
    policy(
      "appProtection", [.appProtectionUnsupported],
      "A policy requires app protection by Intune, and the app does not support it.",
      "Does the app contain Intune's SDK, and the client capability ProtApp?", broker: true, isSilent: false),
    Cause(
      name: "app-not-enrolled", codes: [AADSTSCode.appNotEnrolled.text],
      text: "A policy requires app protection by Intune, and the app is not enrolled for this user.",
      question: "Has the app enrolled the account with Intune's SDK?",
      changes: [.broker, .app("clientCapabilities=ProtApp")],
      before: [
        .action("A policy asks for more", ["policy": ["name": "Policy", "requires": "appProtection"]])
      ], call: .interactive,
      mends: [
        Mend(
          kind: .device,
          text:
            "Enrol the account with Intune's SDK: registerAndEnrollAccountId on Apple's systems, registerAccountForMAM on "
            + "Android.", steps: [["enroll": ["app": "$app", "account": "$user"]]], moment: .beforeCall),
        .withoutPolicy("Policy"),
      ]),
    policy(
      "block", [.blockedByPolicy], "A policy blocks the sign-in.", "Which policy do the sign-in logs name?",
      isSilent: true),
    policy(
      "block", [.blockedByPolicy], "A policy blocks the sign-in.", "Which policy do the sign-in logs name?",
      isSilent: false),
    Cause(
      name: "sign-in-too-old", codes: [AADSTSCode.signInTooOld.text],
      text: "A policy limits the age of a sign-in, and the last one is older.",
      question: "Does a policy of the organisation set a sign-in frequency?",
      before: [
        .signIn,
        .action(
          "A policy limits the age of a sign-in",
          ["policy": ["name": "Policy", "requires": "signInFrequency"]]),
        .action("More than a day passes", ["clock": "+25h"]),
      ], call: .silent, mends: [.signInAgain]),
    policy(
      "certificate", [.blockedByPolicy], "A policy requires a certificate, which the device does not have.",
      "Do users sign in with a certificate in this organisation?", isSilent: false),
  ]
}
