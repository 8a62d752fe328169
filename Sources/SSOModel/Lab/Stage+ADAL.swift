import SSOCore
import SSODevice
import SSOKeychain
import SSOReference

/// The intents of an app that was built with ADAL.
extension Stage {
  /// Runs the intent if it is one of an app with ADAL; nil otherwise.
  func runADAL(_ intent: Intent, correlationID: String) throws -> Outcome? {
    switch intent {
    case .signIn(let name, let account, let scopes, let prompt, let options):
      guard let app = try adalApp(name, options) else { return nil }
      trace.add(.person, .app, actor: app.bundleID, "sign in")
      var request = request(app, account, scopes, correlationID)
      request.prompt = ADALPrompt(prompt)
      request.claims = options.claims
      return try outcome(ofADAL: app, account: account) { try $0.acquireToken(request) }
    case .acquireSilently(let name, let account, let scopes, let forceRefresh, let options):
      guard let app = try adalApp(name, options) else { return nil }
      trace.add(.person, .app, actor: app.bundleID, "silent")
      var request = request(app, account, scopes, correlationID)
      request.forceRefresh = forceRefresh
      request.claims = options.claims
      return try outcome(ofADAL: app, account: account) { try $0.acquireSilently(request) }
    case .signOut(let name, let account, let options):
      guard let app = try adalApp(name) else { return nil }
      return try signOut(adal: app, account, options)
    default: return nil
    }
  }

  func adalClient(_ app: InstalledApp) -> ADALClient { ADALClient(surroundings(of: app)) }

  /// A client whose calls do not show in this intent's trace.
  func quietADALClient(_ app: InstalledApp) -> ADALClient { ADALClient(quietClient(app).around) }

  /// With the authority of the call, which in ADAL is that of an `ADAuthenticationContext` of its own.
  private func adalApp(_ name: String, _ options: CallOptions = CallOptions()) throws -> InstalledApp? {
    var app = try app(name)
    app.authority = options.authority ?? app.authority
    return app.sdk == .adal ? app : nil
  }

  /// The account is handed to ADAL as `userId`, whatever it is; nil leaves it to the cache (claim F4).
  func request(
    _ app: InstalledApp, _ account: String?, _ scopes: [String], _ correlationID: String
  ) -> ADALRequest {
    ADALRequest(
      resource: scopes.first ?? app.resource, userID: account,
      userIDType: app.userIDType ?? .requiredDisplayableID,
      correlationID: correlationID)
  }

  private func outcome(
    ofADAL app: InstalledApp, account: String?, _ call: (ADALClient) throws -> ADALResult
  ) throws -> Outcome {
    do {
      let result = try call(adalClient(app))
      trace.add(
        .sdk, .app, actor: app.bundleID, "result", result: "access token",
        sent: [
          NameValue("userId", result.userID), NameValue("homeAccountId", result.homeAccountID ?? "nil"),
          NameValue("accessToken", masked(result.accessToken)),
        ])
      return Outcome(result, prompted: !prompts.isEmpty)
    } catch let waiting as WaitingForBroker {
      return waits(app, waiting)
    } catch let error as ADALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error", result: error.printed)
      let missing = error.mayLackSharing ? try missingSharing(for: app, account: account) : nil
      return Outcome(
        error, prompted: !prompts.isEmpty, failedCheck: missing ?? error.failedCheck ?? lastFailedCheck)
    }
  }

  /// `removeAllForUserId:clientId:`; without a user `removeAllForClientId:`; with `wipeAccount`
  /// `wipeAllItemsForUserId:`, which takes the user from every app of the group (fact sheet §2.7).
  private func signOut(adal app: InstalledApp, _ user: String?, _ options: SignOutOptions) throws -> Outcome {
    trace.add(.person, .app, actor: app.bundleID, "sign out")
    guard !options.fromBrowser, !options.wipeCache else {
      throw LabError(
        .badInput, "\(app.displayName) cannot sign out so.",
        why: "ADAL removes items only: of a user, of a client, or of a user in every app (wipeAccount).",
        next: "ssoterm signout \(app.bundleID) --account USER --wipe-account")
    }
    let client = adalClient(app)
    let users = try client.users().map(\.userID)
    guard user.map({ users.contains($0.lowercased()) }) ?? !users.isEmpty else {
      throw LabError(
        .unknownAccount, "\(app.displayName) knows no user \(user ?? "to sign out").",
        why: "The legacy cache has no item of this client for that user.", next: "List them: ssoterm accounts"
      )
    }
    let call: String
    let count: Int
    if options.wipeAccount {
      guard let user = user ?? (users.count == 1 ? users[0] : nil) else {
        throw LabError(
          .unknownAccount, "\(app.displayName) has several users.", why: "One must be named.",
          next: "ssoterm signout \(app.bundleID) --wipe-account --account \(users[0])")
      }
      call = "wipeAllItemsForUserId"
      count = try client.wipe(userID: user)
    } else if let user {
      call = "removeAllForUserId:clientId"
      count = try client.removeAll(userID: user)
    } else {
      call = "removeAllForClientId"
      count = try client.removeAllOfClient()
    }
    trace.add(.app, .sdk, actor: app.bundleID, call, result: "\(count) items")
    let names = user ?? users.joined(separator: ", ")
    return Outcome(
      .succeeded, "\(app.displayName) signed out \(names) (\(call)): \(count) items removed.",
      username: user ?? (users.count == 1 ? users[0] : nil))
  }

  /// The legacy items of a user in every group where some app's SDK works; for `forget`.
  /// - Returns: how many went.
  func forgetLegacy(username: String) throws -> Int {
    var groups: Set<String> = []
    var count = 0
    for app in installed where app.entitledGroups.contains(app.sharedAccessGroup) {
      guard groups.insert(app.sharedAccessGroup).inserted else { continue }
      count += try adalClient(app).legacy.wipe(userID: username, byAccountAlone: false)
    }
    return count
  }
}

extension ADALPrompt {
  /// Our choice of names: ADAL has no prompt for choosing an account or for consent.
  init(_ prompt: PromptBehavior) {
    self =
      switch prompt {
      case .whenRequired: .auto
      case .selectAccount: .always
      case .login: .force
      case .consent: .refreshSession
      }
  }
}

extension Outcome {
  init(_ result: ADALResult, prompted: Bool) {
    guard result.isAwaited else {
      self = .nobodyWaited(
        username: result.userID, homeAccountID: result.homeAccountID, expiresOn: result.expiresOn,
        scopes: [result.resource], prompted: prompted)
      return
    }
    let how =
      switch result.source {
      case .cache: "from the cache, no network"
      case .multiResourceRefreshToken, .familyRefreshToken, .singleResourceRefreshToken:
        "with the \(result.source.rawValue)"
      case .webSession: "in a web view"
      case .broker: "through the broker"
      }
    let who = result.userID.isEmpty ? "an unknown user" : result.userID
    self.init(
      .succeeded, "Token for \(who) \(how).", username: result.userID, homeAccountID: result.homeAccountID,
      expiresOn: result.expiresOn, grantedScopes: [result.resource], source: result.source.rawValue,
      prompted: prompted, accessToken: result.accessToken)
  }

  /// ADAL's refusal, in its own print.
  init(_ error: ADALError, prompted: Bool, failedCheck: Check?) {
    let cancelled = error.code == ADALCode.uiUserCancel.number
    let asks = error.code == ADALCode.serverUserInputNeeded.number
    self.init(
      cancelled ? .cancelled : .failed, cancelled ? "Cancelled by the person." : error.details,
      errorText: error.printed, errorDomain: error.domain.rawValue, errorCode: error.code,
      failedCheck: failedCheck, next: asks ? "Sign in with a person: ssoterm signin APP" : nil,
      prompted: prompted)
  }
}
