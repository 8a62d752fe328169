import SSOLab

/// A possible cause of a failure: the difference from a world in which the call succeeds, and the call.
///
/// A cause is never assumed to be right: its world runs in the lab, and the real call decides. To add one, add a row to
/// ``Cause/all``. Texts may contain placeholders such as `$client`, which ``LabSetting`` replaces.
struct Cause: Sendable {
  /// A difference of the world.
  enum Change: Hashable, Sendable {
    /// A field of the app or of its registration, typed as `set` takes it.
    case app(String)
    case registration(String)
    case noRegistration
    /// A second organisation, in which the user is not a guest.
    case otherTenant
    /// A colleague of the user, with the same password.
    case otherPerson
    /// A personal account, with the same password.
    case personalAccount
    /// An installed broker that holds the account.
    case broker
    /// A field of the user or of the user's tenant, typed as `set` takes it.
    case person(String)
    case tenant(String)
  }

  /// The call that fails.
  struct Call: Hashable, Sendable {
    var verb: String
    var fields: [YAMLValue.Entry] = []
    /// The user's answers, or `nil` for those of a sign-in without a mistake.
    var answers: YAMLValue?

    static let interactive = Call(verb: "signIn")
    static let silent = Call(verb: "silent")
    /// A silent call that does not use the access token in the cache.
    static let refresh = Call(verb: "silent", fields: [.init("forceRefresh", true)])

    static func interactive(scopes: YAMLValue) -> Call {
      Call(verb: "signIn", fields: [.init("scopes", scopes)])
    }
    static func silent(scopes: YAMLValue) -> Call { Call(verb: "silent", fields: [.init("scopes", scopes)]) }

    /// A call whose requests differ from those of the program: a field without a value is omitted.
    static func sending(
      _ endpoint: CallProgram.Change.Endpoint, _ fields: [(name: String, value: String?)],
      silently: Bool = false
    ) -> Call {
      let changed = fields.map { YAMLValue.Entry($0.name, $0.value.map(YAMLValue.text) ?? .plain("~")) }
      return Call(
        verb: silently ? "silent" : "signIn",
        fields: [.init("change", .map([.init(endpoint.rawValue, .map(changed))]))])
    }

    /// A program's call whose scopes are the mistake, so that nothing is added to them.
    static func program(scopes: YAMLValue) -> Call {
      Call(verb: CallProgram.verb, fields: [.init("scopes", scopes)])
    }

    func with(_ field: String, _ value: YAMLValue) -> Call {
      Call(verb: verb, fields: fields + [.init(field, value)], answers: answers)
    }

    var isSilent: Bool { verb == "silent" }
    /// Whether the authority is a user flow, whose only account an app need not name.
    var isOfUserFlow = false
    /// Whether the call finds its account by its own username.
    var looksUpAccount: Bool { fields.contains { $0.key == "username" } }

    func answering(_ answers: YAMLValue) -> Call {
      var call = self
      call.answers = answers
      return call
    }

    /// The call in which the user signs in, and closes the page that reports the refusal.
    var answeringUntilRefused: Call {
      answering(["username": "$user", "password": "$password", "consent": "accept", "cancel": true])
    }
  }

  /// A change that lets the call succeed; it is proposed only if a run proves it.
  struct Mend: Hashable, Sendable {
    /// The thing that is changed.
    enum Kind: String, CaseIterable, Sendable {
      case call, registration, plist, entitlement, code, policy, account, clock, device, scenario
      /// `AndroidManifest.xml` and the JSON of MSAL for Android.
      case manifest, configuration
    }
    /// The point at which the change is made.
    enum Moment: Hashable, Sendable { case start, beforeCall }

    var kind: Kind
    var text: String
    /// The steps that make the change in the lab.
    var steps: [YAMLValue] = []
    var moment = Moment.start
    /// The call to make instead, or `nil` for the same.
    var call: Call?
  }

  /// The name in outputs, which does not change.
  var name: String
  /// The codes that lead to it.
  var codes: [String]
  /// The assumption as a sentence.
  var text: String
  /// The question that distinguishes it from another cause.
  var question: String
  /// The programs that can have it, the likeliest first; empty for an app's cause, which a program may have too.
  var callers: [Caller] = []
  var changes: [Change] = []
  /// The steps before the call; `$signIn` stands for a sign-in of the user.
  var before: [Step] = []
  var call: Call
  var mends: [Mend]

  /// A step that leads to the state before the call.
  enum Step: Hashable, Sendable {
    case signIn
    case action(String, YAMLValue)
    /// A refused call that leads to the state.
    case failing(String, YAMLValue)
    /// A call that another user answers.
    case answered(String, YAMLValue, YAMLValue)
  }
}

extension Cause {
  /// Whether the mistake is in the redirect URIs of the registration, which not every grant needs.
  var isOfRedirectURI: Bool {
    changes.contains { change in
      guard case .registration(let text) = change else { return false }
      return ["$redirects", "webRedirectURIs", "spaRedirectURIs"].contains(where: text.hasPrefix)
    }
  }

  /// The cause as it affects a user who has signed in before, whose refresh token is refused.
  ///
  /// The world changes only after the sign-in. It is `nil` for a cause that is already silent, or that concerns the
  /// sign-in itself.
  var onRefresh: Cause? {
    guard !call.isSilent, !call.fields.contains(where: { !["scopes", "change"].contains($0.key) }) else {
      return nil
    }
    var steps: [Step] = [.signIn]
    for change in changes {
      switch change {
      case .registration(let field): steps.append(.changing("registration", "$client", field))
      case .person(let field): steps.append(.changing("person", "$user", field))
      case .app, .tenant, .noRegistration, .otherTenant, .otherPerson, .personalAccount, .broker:
        return nil
      }
    }
    var cause = self
    cause.changes = []
    cause.before = steps + before
    cause.callers = callers.compactMap { caller in
      if case .program(let kind, .authorizationCode) = caller { .program(kind, .refreshToken) } else { nil }
    }
    guard callers.isEmpty == cause.callers.isEmpty else { return nil }
    cause.call = call.onRefresh
    cause.mends =
      mends.map { mend in
        var mend = mend
        mend.moment = .beforeCall
        mend.call = mend.call?.onRefresh
        return mend
      } + mends
    return cause
  }
}

extension Cause {
  /// The cause as it affects a user who signs in, or `nil` for a cause that is already interactive.
  ///
  /// No user has signed in before; a page that shows the error is closed.
  var onSignIn: Cause? {
    let fields: Set = ["scopes", "change", "forceRefresh"]
    guard call.isSilent, call.fields.allSatisfy({ fields.contains($0.key) }) else { return nil }
    var cause = self
    cause.before.removeAll { $0 == .signIn }
    cause.callers = callers.map { caller in
      if case .program(let kind, .refreshToken) = caller {
        .program(kind, .authorizationCode)
      } else {
        caller
      }
    }
    cause.call =
      Call(verb: "signIn", fields: call.fields.filter { $0.key != "forceRefresh" })
      .answeringUntilRefused
    cause.mends = mends.filter { $0.call == nil }
    return cause
  }
}

extension Cause.Call {
  /// The same call with a refresh token.
  fileprivate var onRefresh: Self {
    Self(verb: "silent", fields: fields.filter { $0.key != "forceRefresh" } + [.init("forceRefresh", true)])
  }
}

extension Cause.Step {
  /// Returns a step that changes a record after the user has signed in.
  fileprivate static func changing(_ kind: String, _ record: YAMLValue, _ field: String) -> Self {
    .action(
      "The \(kind) is changed", ["set": .map([.init(kind, record), .init("fields", [.text(field)])])])
  }
}

extension Cause.Mend {
  static func app(_ kind: Kind, _ change: String, _ text: String) -> Self {
    Self(kind: kind, text: text, steps: [["set": ["app": "$app", "fields": [.text(change)]]]])
  }

  /// Corrects the tenant that the authority names.
  static let correctTenant = app(
    .code, "authority=$tenantAuthority", "Correct the tenant in the authority: $tenantAuthority.")

  /// Declares an authority whose host is not one of Entra's own.
  static func declareAuthority(_ authority: String) -> Self {
    app(
      .code, "knownAuthorities+=\(authority)",
      "MSALPublicClientApplicationConfig: set knownAuthorities to the list of the app's authority.")
  }

  /// Asks for the tenant of the user who signs in.
  static let useCommonAuthority = app(
    .code, "authority=$common", "Use an authority for all organisations: $common.")

  /// Makes the user a guest of the organisation in the authority.
  static let inviteGuest = Self(
    kind: .account, text: "The administrator of the organisation invites the user as a guest.",
    steps: [["set": ["person": "$user", "fields": ["guestIn={\"$otherTenant\":\"$guestID\"}"]]]])

  /// Names the organisation's tenant in the authority.
  static let nameTenant = app(
    .code, "authority=$tenantAuthority",
    "Use the authority of the organisation: https://login.microsoftonline.com/TENANT-ID, with your tenant's ID."
  )

  static func registration(_ change: String, _ text: String) -> Self {
    Self(
      kind: .registration, text: text,
      steps: [["set": ["registration": "$client", "fields": [.text(change)]]]])
  }

  /// Registers the redirect URI that the call sends.
  static let registerRedirectURI = registration(
    "$redirects+=$redirect",
    "App registrations › Authentication › $portalPlatform: add the redirect URI $redirect.")

  /// Sends the redirect URI with https: Entra registers http for this machine alone (Microsoft: Redirect URI (reply URL)
  /// outline and restrictions).
  static let sendSecureRedirectURI = Self(
    kind: .code,
    text:
      "Send $secureRedirect, and register it under $portalPlatform: http is only for localhost. Behind a proxy, let the "
      + "program trust X-Forwarded-Proto.",
    steps: [
      ["set": ["registration": "$client", "fields": ["$redirects+=$secureRedirect"]]]
    ],
    call: Cause.Call(
      verb: "signIn",
      fields: [
        .init(
          "change",
          [
            "authorize": ["redirect_uri": "$secureRedirect"], "token": ["redirect_uri": "$secureRedirect"],
          ])
      ]))

  static func redirectURIMoved(from platform: String, _ field: String) -> Self {
    Self(
      kind: .registration,
      text: "App registrations › Authentication: move $redirect from \(platform) to $portalPlatform.",
      steps: [
        ["set": ["registration": "$client", "fields": [.text("\(field)="), "$redirects+=$redirect"]]]
      ])
  }

  static func call(_ call: Cause.Call, _ text: String) -> Self { Self(kind: .call, text: text, call: call) }

  static let signInAgain = call(
    .interactive,
    "When the silent call reports that interaction is required, acquire the token interactively: $interactively."
  )

  static let consentByAdministrator = registration(
    "isPreauthorized=yes",
    "An administrator grants consent for the organisation: App registrations › API permissions › Grant admin consent."
  )

  static func withoutPolicy(_ name: String) -> Self {
    Self(
      kind: .policy,
      text:
        "The administrator excludes the user or the app from the policy: Conditional Access › the policy › "
        + "Exclude.",
      steps: [["removePolicy": ["name": .text(name)]]], moment: .beforeCall)
  }
}
