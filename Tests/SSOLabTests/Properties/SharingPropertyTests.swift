import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore

/// Each answer about a shared sign-in matches the actual call, in any suite of apps.
@Suite struct SharingPropertyTests {
  /// Ada signs in with only one app.
  ///
  /// The matrix, `why`, and the prediction state the result of another app's silent call.
  @Test(arguments: PropertySeeds.all) func whatIsSaidOfTwoAppsIsWhatTheSilentCallDoes(seed: UInt64) throws {
    let suite = try SuiteRun(seed: seed)
    for writer in try suite.running {
      try suite.lab.takenBack {
        try suite.signIn(writer)
        for reader in suite.apps where reader.bundleID != writer.bundleID {
          let pair = "seed \(seed): \(writer.shown) -> \(reader.shown)"
          let said = try #require(
            try suite.lab.read { try $0.why.visibility() }.first {
              $0.signedIn == writer.bundleID && $0.looking == reader.bundleID
            })
          let why = try suite.lab.read { try $0.why.app(reader.bundleID, with: writer.bundleID) }
          let predicted = try suite.lab.read {
            try $0.apps.prediction(app: reader.bundleID, account: GeneratedSuite.ada)
          }
          let call = try suite.silent(reader)
          let comes = call.verdict == .succeeded
          #expect(comes == (said.extent != .nothing), "\(pair): the matrix says \(said.extent)")
          #expect(comes == why.sections[0].checks.allSatisfy { $0.verdict == .passed }, "\(pair): why")
          #expect(comes == why.holds, "\(pair): why")
          #expect(predicted.kind == Prediction.Kind(call), "\(pair): predicted \(predicted.sentence)")
          if !said.displayText.hasSuffix("if the tenant is the same") {
            #expect(
              (call.source == "cache")
                == said.displayText.contains("from the cache"),
              "\(pair): \(said.displayText)")
          }
          if let failed = call.failedCheck {
            #expect(predicted.checks.contains(failed), "\(pair): \(failed.name) is not predicted")
            let saved = try suite.lab.read { try $0.app(writer.bundleID) }.isEntitled
            let named = said.checks.first { $0.verdict == .failed }?.name
            #expect(
              !saved || [named, "refresh token serves client"].contains(failed.name),
              "\(pair): said \(named ?? "nothing"), failed \(failed.name)")
          }
        }
      }
    }
  }

  /// Each credential is tested alone in the keychain, with its account: exactly the apps that are listed for it can use
  /// it.
  @Test(arguments: PropertySeeds.all) func anAppIsListedForACredentialExactlyIfItCanUseIt(seed: UInt64) throws
  {
    let suite = try SuiteRun(seed: seed)
    for app in try suite.running { try suite.signIn(app) }
    for token in try suite.lab.read({ try $0.tokens.rows() }) where !token.type.hasSuffix("IdToken") {
      let why = try #require(try suite.lab.read { try $0.why.credential(token.id) })
      try suite.lab.takenBack {
        try suite.leave(only: token)
        for app in suite.apps {
          let said = token.apps.contains(app.displayName)
          let title = "\(app.displayName): \(said ? "can use it" : "cannot use it")"
          #expect(why.sections.contains { $0.title == title }, "seed \(seed)")
          let call = try suite.call(app, with: token)
          // The refresh token that an Android access token needs beside it would suffice alone.
          let isBesideAnother = app.msal.cacheRules.needRefreshToken && token.type == "AccessToken"
          #expect(
            (isBesideAnother ? call.source == "cache" : call.verdict == .succeeded) == said,
            "seed \(seed): \(app.shown), \(token.type) of \(token.clientID) in \(token.accessGroup): \(call.summary)"
          )
        }
      }
    }
  }

  /// The tree, the branches of a long list, and the account's answer use the same rule.
  @Test(arguments: PropertySeeds.all) func listsAgreeOnWhoCanUseWhat(seed: UInt64) throws {
    let suite = try SuiteRun(seed: seed)
    for app in try suite.running { try suite.signIn(app) }
    let tokens = try suite.lab.read { try $0.tokens.rows() }
    let account = try suite.lab.read { try $0.why.account(GeneratedSuite.ada) }
    for branch in try suite.lab.read({ try $0.branches.all() }) {
      guard let app = suite.apps.first(where: { $0.redirectURI == branch.redirectURI }) else { continue }
      let usable = tokens.filter { $0.redirectURIs.contains(app.redirectURI) }
      #expect(branch.count == usable.count, "seed \(seed): \(app.shown)")
      var rows: Set<String> = []
      try suite.lab.read { reader in
        try reader.branches.each(clientID: branch.clientID, redirectURI: branch.redirectURI) {
          rows.insert("t\($0.row)").inserted
        }
      }
      #expect(rows == Set(usable.map(\.id)), "seed \(seed): \(app.shown)")
      let section = account.sections.first { $0.title.hasPrefix(app.displayName + ":") }
      #expect(
        (section?.checks.last?.verdict == .passed) == usable.contains { $0.type.hasSuffix("RefreshToken") },
        "seed \(seed): \(app.shown)")
    }
  }
}

/// A lab with a generated suite.
private struct SuiteRun {
  let lab: Lab
  let apps: [InstalledApp]

  init(seed: UInt64) throws {
    var suite = GeneratedSuite(seed: seed)
    let file = suite.file()
    lab = try Lab.temporary(file)
    apps = file.world.apps
  }

  /// The apps that the device runs.
  ///
  /// No user can sign in with the others.
  var running: [InstalledApp] {
    get throws { try lab.read { reader in apps.filter { reader.device.runs($0) } } }
  }

  func signIn(_ app: InstalledApp) throws {
    let outcome = try lab.outcome(
      SignIn(app: app.bundleID, account: nil, scopes: [], prompt: .login),
      [.username(GeneratedSuite.ada), .password("p")])
    #expect(outcome.verdict == .succeeded, "\(app.shown): \(outcome.errorText ?? outcome.summary)")
  }

  func silent(_ app: InstalledApp) throws -> Outcome {
    try lab.takenBack {
      try lab.outcome(
        AcquireSilently(app: app.bundleID, account: GeneratedSuite.ada, scopes: [], forceRefresh: false))
    }
  }

  /// Makes a call that this credential could serve.
  ///
  /// For an access token, it has the tenant and scopes of the token; for a refresh token, it requests a new token.
  func call(_ app: InstalledApp, with token: TokenRow) throws -> Outcome {
    let isRefreshToken = token.type.hasSuffix("RefreshToken")
    let isLegacy = token.type.hasPrefix("Legacy")
    let scopes = (token.target ?? "").split(separator: " ").map(String.init).filter {
      !SilentFlow.reservedScopes.contains($0)
    }
    let authority =
      isRefreshToken || isLegacy ? nil : token.realm.map { "https://\(token.environment)/\($0)" }
    return try lab.takenBack {
      try lab.outcome(
        AcquireSilently(
          app: app.bundleID, account: GeneratedSuite.ada, scopes: isRefreshToken ? [] : scopes,
          forceRefresh: isRefreshToken,
          options: CallOptions(authority: app.sdk == .msal ? authority : nil)))
    }
  }

  /// Deletes every other credential that can be used without this one, and everything in the other format.
  ///
  /// On Android, an access token is used only beside a refresh token of its cache.
  func leave(only token: TokenRow) throws {
    let isLegacy = token.type.hasPrefix("Legacy")
    try lab.store.write(JournalEntry(intent: "leave one", at: lab.read { $0.now })) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.clock())
      let query = KeychainQuery(accessGroups: try intent.reader.accessGroups(), itemClass: .genericPassword)
      let needsRefreshToken = intent.device.platform == .android && token.type == "AccessToken"
      for item in try intent.credentials.items(matching: query) where item.key != token.keychain {
        let isOfCache = item.key.accessGroup == token.accessGroup
        if needsRefreshToken, isOfCache, item.type == CredentialType.refreshToken.attributeType { continue }
        let isAccount = (1000..<2000).contains(item.type ?? 0)
        let isCredential = (2000..<3000).contains(item.type ?? 0)
        let isIDToken = item.type == CredentialType.idToken.attributeType
        guard item.isLegacy || isCredential && !isIDToken || isLegacy && isAccount else { continue }
        try intent.credentials.delete(item.key)
      }
    }
  }

}

extension InstalledApp {
  /// The properties that sharing depends on, for the message of a failure.
  fileprivate var shown: String {
    "\(displayName) (\(sdk.rawValue) \(sdkVersion), \(teamID), \(clientID.prefix(4)), \(sharedAccessGroup), \(keychainAccessGroups), \(authority), \(scopes))"
  }
}
