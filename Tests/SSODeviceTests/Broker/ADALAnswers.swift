import Foundation
import SSOStore

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// One app with ADAL, whose calls are made directly and whose broker responses are made by hand.
struct ADALAnswers {
  static let resource = "https://graph.microsoft.com"
  static let redirectURI = "x-msauth-new://com.contoso.new"

  let app: SuiteApp
  let lab: Lab

  /// Creates a lab with the app.
  ///
  /// `extra` contains lines for the app's record.
  init(_ version: String = "6.0.5", extra: String = "") throws {
    app = .adal("new", version, extra: extra)
    lab = try suiteLab([app])
  }

  /// The state that the app saves while it waits for the broker.
  static let resume = [
    "redirect_uri": redirectURI, "broker_nonce": "nonce", "sdk_name": "adal-objc",
    "keychain_group": suiteGroup,
    "resource": resource,
  ]

  /// Returns the items in the group except the broker key.
  func kinds() throws -> [String: Int] { try lab.kinds().filter { $0.key != "broker key" } }

  func call<T>(_ body: (ADALClient) throws -> T) throws -> T {
    try lab.store.write(nil) { store in
      let transaction = try IntentTransaction(store, realTime: lab.clock())
      return try body(ADALClient(transaction.runtime.context(of: transaction.app(app.bundleID))))
    }
  }

  func refusal<T>(_ body: (ADALClient) throws -> T) throws -> SDKError? {
    try call { client in
      do {
        _ = try body(client)
        return nil
      } catch let error as SDKError {
        return error
      }
    }
  }

  /// Delivers a URL with these fields to the app.
  ///
  /// If `isPlain` is true, they are the query; otherwise, they are encrypted. `source` is the sending app, if the
  /// system reports it.
  func deliver(
    _ fields: [String: String], isPlain: Bool = false, source: String? = brokerBundleID,
    resume: [String: String] = Self.resume, to address: String = Self.redirectURI
  ) throws -> Result<SDKResult?, SDKError> {
    try call { client in
      try client.context.defaults.setResumeState(ResumeState(resume))
      let query = try isPlain ? Self.pairs(fields) : Self.encrypted(fields, for: client)
      let url = "\(address)?" + FormEncoding.encode(query + [NameValue("msg_protocol_ver", "2")])
      do {
        return .success(
          try client.brokerCall.handle(URLDelivery(url: url, sourceApplication: source)))
      } catch let error as SDKError {
        return .failure(error)
      }
    }
  }

  static func encrypted(
    _ fields: [String: String], for client: ADALClient, names: (String, String) = ("response", "hash")
  ) throws -> [NameValue] {
    let plaintext = Data(FormEncoding.encode(pairs(fields)).utf8)
    let ciphertext = try BrokerCrypto.encrypt(plaintext, key: client.brokerCall.conversation.keys.key())
    return [
      NameValue(names.0, Base64URL.encode([UInt8](ciphertext))),
      NameValue(names.1, BrokerCrypto.hash(plaintext)),
    ]
  }

  private static func pairs(_ fields: [String: String]) -> [NameValue] {
    fields.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value) }
  }

  /// Returns tokens for a user, as the broker sends them.
  static func tokens(_ user: String = "eric_cartman@contoso.com", authority: String = "common") -> [String:
    String]
  {
    let claims: JSONValue = ["ver": "1.0", "upn": .string(user), "oid": "oid", "tid": "tid"]
    let idToken = [JSONValue.object(["alg": "none"]), claims].map { Base64URL.encode($0.bytes(.wire)) }
    return [
      "authority": "https://login.microsoftonline.com/\(authority)", "resource": resource, "client_id": "c1",
      "id_token": idToken.joined(separator: ".") + ".", "access_token": "i-am-a-access-token",
      "refresh_token": "i-am-a-refresh-token", "foci": "1", "expires_in": "3600", "vt": "YES",
      "broker_nonce": "nonce",
    ]
  }
}

extension Result {
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
