import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// What MSAL asks of the SSO extension besides tokens (docs/behaviour/broker.md §13(12), §13(13)).
@Suite struct ExtensionOperationTests {
  private static let accounts = "performRequests get_accounts_operation"
  private static let signOut = "performRequests signout_account_operation"

  private func lab(_ change: (inout LabWorld) -> Void = { _ in }) throws -> BrokerLab {
    let lab = try BrokerLab("sso-extension-on-ios", change)
    let (outcome, hops) = try lab.signIn()
    #expect(outcome.verdict == .succeeded, "\(outcome)")
    let request = try #require(hops.first { $0.action == "performRequests login" })
    #expect(request.sent["broker_key"].map { isMasked($0) } == true, "\(request.sent)")
    #expect(request.sent["request_sent_timestamp"]?.hasSuffix("0000000") == true, "\(request.sent)")
    return lab
  }

  @Test func theCurrentAccountIsAskedOfTheExtension() throws {
    let lab = try lab()
    let (outcome, hops) = try lab.perform(GetCurrentAccount(app: BrokerLab.app))
    #expect(outcome.username == "ada@contoso.com")
    let hop = try #require(hops.first { $0.action == Self.accounts })
    #expect(hop.sent.contains(NameValue("signed_in_accounts_only", "1")) && hop.result == "ada@contoso.com")
    // The list of the cache is not asked of it.
    let (_, silent) = try lab.perform(AcquireSilently(app: BrokerLab.app))
    #expect(!silent.contains { $0.action == Self.accounts })
  }

  /// `removeAccount:` does not reach the extension, so its account is still the current one.
  @Test func onlySignoutWithAccountTellsTheExtension() throws {
    let lab = try lab()
    let (_, removed) = try lab.perform(SignOut(app: BrokerLab.app))
    #expect(!removed.contains { $0.action == Self.signOut })
    #expect(try lab.perform(GetCurrentAccount(app: BrokerLab.app)).0.username == "ada@contoso.com")
    #expect(try lab.signIn().0.verdict == .succeeded)
    let (outcome, hops) = try lab.perform(
      SignOut(app: BrokerLab.app, options: SignOutOptions(wipeAccount: true)))
    #expect(outcome.verdict == .succeeded)
    let hop = try #require(hops.first { $0.action == Self.signOut })
    #expect(hop.sent.contains(NameValue("wipe_account", "1")))
    #expect(hop.sent.contains(NameValue("signout_from_browser", "0")))
    #expect(try lab.perform(GetCurrentAccount(app: BrokerLab.app)).0.username == nil)
  }

  /// Without a profile, or with `brokerAvailability` off, the cache alone answers.
  @Test func withoutTheExtensionNothingIsAsked() throws {
    let lab = try lab()
    for change in ["brokerUse=none", "brokerUse=auto"] {
      try lab.lab.outcome(EditRecord(.app, record: BrokerLab.app, [try FieldChange(change)]))
      if change == "brokerUse=auto" {
        try lab.lab.outcome(EditRecord(.device, record: "device-1", [try FieldChange("ssoProfile=")]))
      }
      let (outcome, hops) = try lab.perform(GetCurrentAccount(app: BrokerLab.app))
      #expect(outcome.username == "ada@contoso.com" && !hops.contains { $0.action == Self.accounts })
    }
  }

  /// A key that cannot be created ends the call before the extension is asked.
  @Test func anOperationNeedsItsKey() throws {
    let lab = try BrokerLab("sso-extension-on-ios") { world in
      for index in world.apps.indices { world.apps[index].keychainAccessGroups = [] }
    }
    let (outcome, hops) = try lab.signIn()
    #expect(outcome.verdict == .failed)
    #expect(
      outcome.errorText?.contains("Failed to serialize SSO request dictionary for login") == true,
      "\(outcome)")
    #expect(!hops.contains { $0.to == .broker })
  }
}
