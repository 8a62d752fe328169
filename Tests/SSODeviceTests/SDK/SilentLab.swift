import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// The articles' suite with Ada signed in to app 1, and functions that change the contents of its cache.
final class SilentLab {
  static let app = "com.contoso.mytestapp1"
  static let group = "A1B2C3D4E5.com.microsoft.adalcache"
  static let ada = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  static let answers: [Answer] = [
    .accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept,
  ]

  let lab: Lab

  init(signIn: Bool = true, _ change: (inout LabWorld) -> Void = { _ in }) throws {
    var file = try ScenarioLibrary().scenario("contoso-suite")
    change(&file.world)
    lab = try Lab.temporary(file)
    if signIn { try self.signIn() }
  }

  @discardableResult
  func signIn(_ app: String = SilentLab.app) throws -> Outcome {
    try perform(
      SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired), answers: Self.answers
    ).outcome
  }

  @discardableResult
  func perform(_ intent: any Intent, answers: [Answer] = []) throws -> (outcome: Outcome, hops: [Hop]) {
    guard case .done(let outcome, let id) = try lab.perform(intent, answers: answers) else {
      Issue.record("\(intent.displayText) asks for more answers")
      return (Outcome(.failed, ""), [])
    }
    return (outcome, try lab.read { try $0.traces.trace(id) }?.hops ?? [])
  }

  func silent(
    _ app: String = SilentLab.app, account: String? = nil, scopes: [String] = [], force: Bool = false,
    _ options: CallOptions = CallOptions()
  ) throws -> (outcome: Outcome, hops: [Hop]) {
    try perform(
      AcquireSilently(app: app, account: account, scopes: scopes, forceRefresh: force, options: options))
  }

  func fault(_ endpoint: Fault.Endpoint, _ kind: String, times: Int? = nil) throws {
    try perform(AddFault(Fault(endpoint, #require(Fault.Kind(kind)), remaining: times)))
  }

  func wait(_ seconds: Int) throws { try perform(MoveClock(bySeconds: seconds)) }

  /// Returns the current time of the lab's clock.
  func now() throws -> Instant { try lab.read { $0.now } }

  func items(_ type: CredentialType, group: String = SilentLab.group) throws -> [CredentialItem] {
    try store { try $0.items(matching: KeychainQuery(accessGroups: [group], type: type.attributeType)) }
      .compactMap { CredentialItem(data: $0.data) }
  }

  /// Changes every credential of a type in the store itself.
  ///
  /// Returning `nil` from `body` deletes it.
  func edit(_ type: CredentialType, _ body: (CredentialItem) -> CredentialItem?) throws {
    try store { store in
      let query = KeychainQuery(accessGroups: [Self.group], type: type.attributeType)
      for var item in try store.items(matching: query) {
        guard let token = CredentialItem(data: item.data) else { continue }
        guard let changed = body(token) else {
          try store.delete(item.key)
          continue
        }
        item.data = changed.data
        _ = try store.update(item)
      }
    }
  }

  func set(_ type: CredentialType, _ field: CredentialField, secondsFromNow: Int) throws {
    let moment = try now().adding(seconds: secondsFromNow)
    try change(type) { $0.set(field, moment) }
  }

  func change(_ type: CredentialType, _ body: (inout CredentialItem) -> Void) throws {
    try edit(type) { token in
      var token = token
      body(&token)
      return token
    }
  }

  func store<T>(_ body: (any CredentialStore) throws -> T) throws -> T {
    try lab.store.write(nil) { try body($0.credentials(device: "device-1")) }
  }
}
