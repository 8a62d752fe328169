import SSOCore
import SSOKeychain
import SSOReference

/// The operations other than those for tokens that MSAL asks of the SSO extension (docs/behaviour/broker.md §13(13)).
struct MSALExtensionOperations: MSALPart {
  let client: MSALClient

  private enum Operation: String {
    case getAccounts = "get_accounts_operation"
    case signOut = "signout_account_operation"

    var action: String { "performRequests " + rawValue }
  }

  /// Whether the extension is asked: it is there for the app, and the app's calls use the broker (`shouldUseBroker` in
  /// `CC/parameters/MSIDRequestParameters+Broker.m`).
  var isAsked: Bool {
    context.device.hasExtension(for: app) && app.msal.brokerConditions(of: app, app.msalAuthority).isMet
  }

  /// Returns the accounts that the extension has for the app, which are those whose tokens it gave to the app.
  func accounts() throws -> [SDKAccount] {
    let sent = try fields(of: .getAccounts, context.random.upperUUID())
    let accounts = try context.system.deviceAccounts(knownTo: app.bundleID)
    context.trace.add(
      .sdk, .broker, actor: app.bundleID, Operation.getAccounts.action,
      result: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
      sent: sent + [NameValue("client_id", app.clientID), NameValue("signed_in_accounts_only", "1")])
    return accounts
  }

  /// Tells the extension that the app signed an account out; the session in a browser is not its task.
  func signOut(_ account: SDKAccount, _ options: SignOutOptions, correlationID: String) throws {
    let own = [
      NameValue("authority", app.authority), NameValue("client_id", app.clientID),
      NameValue("home_account_id", account.identifier), NameValue("username", account.username),
      NameValue("redirect_uri", app.redirectURI), NameValue("signout_from_browser", "0"),
      NameValue("clear_sso_extension_cookies", "0"),
      NameValue("wipe_account", options.wipeAccount ? "1" : "0"),
      NameValue("wipe_cache_all_accounts", options.wipeCache ? "1" : "0"),
    ]
    try context.system.signOutOfBroker(
      homeAccountID: account.identifier, action: Operation.signOut.action,
      sent: fields(of: .signOut, correlationID) + own)
  }

  /// Returns the fields of every operation (`MSIDBrokerOperationRequest.m`).
  private func fields(of operation: Operation, _ correlationID: String) throws -> [NameValue] {
    let keys = BrokerKeys(context: context, accessGroup: app.sharedAccessGroup)
    let key: [UInt8]
    do { key = try keys.key() } catch is KeychainError {
      throw MSALError.make(
        BrokerFault.withoutKey(operation: operation.rawValue), correlationID: correlationID)
    }
    return [
      NameValue("broker_key", masked(Base64URL.encode(key))), NameValue("msg_protocol_ver", "4"),
      NameValue("client_version", app.sdkVersion), NameValue("client_app_name", app.displayName),
      NameValue("client_app_version", app.version), NameValue("correlation_id", correlationID),
    ]
  }
}

extension BrokerFault {
  /// The fault of an operation of the SSO extension whose key cannot be created; MSAL does not ask the extension then.
  static func withoutKey(operation: String) -> BrokerFault {
    BrokerFault(
      .invalidInternalParameter, "Failed to serialize SSO request dictionary for \(operation)")
  }
}
