import Foundation
import SSOCore
import SSODevice
import SSOProvider

/// The records of a lab that a person may edit field by field.
package enum RecordKind: String, Codable, CaseIterable, Sendable {
  case app, person, tenant, registration, device, policy

  var documentKind: DocumentKind {
    switch self {
    case .app: .app
    case .person: .person
    case .tenant: .tenant
    case .registration: .clientRegistration
    case .device: .device
    case .policy: .policy
    }
  }

  /// What the lab keeps in a record for itself.
  static let hiddenFields: Set<String> = ["processes"]

  /// What names the record for the store; changing it would make it another one.
  var identity: Set<String> {
    switch self {
    case .app: ["bundleID"]
    case .person: ["username", "objectID", "homeTenantID"]
    case .tenant, .device: ["id"]
    case .registration: ["clientID"]
    case .policy: ["name"]
    }
  }

  /// Fields whose value is masked, unless it is asked for.
  static let secretFields: Set<String> = ["password", "clientSecret", "secrets", "certificates"]

  /// What a field with a closed set of values may be.
  static let choices: [String: [String]] = [
    "requires": Policy.Requirement.allCases.map(\.rawValue),
    "userIDType": UserIDType.allCases.map(\.rawValue),
    "sdk": SDKKind.allCases.map(\.rawValue), "brokerUse": BrokerUse.allCases.map(\.rawValue),
    "urlForwarding": URLForwarding.allCases.map(\.rawValue),
    "webView": WebViewKind.allCases.map(\.rawValue), "platform": Platform.allCases.map(\.rawValue),
  ]

  /// A stored property, and what may be typed for it.
  struct FieldType: Hashable {
    var name: String
    var expected: String
    var isOptional: Bool
  }

  /// The record's stored properties in the order of their declaration, and the record as it reads back.
  /// - Throws: `DecodingError` if the bytes are not such a record.
  func read(_ body: Data) throws -> (fields: [FieldType], value: JSONValue) {
    switch self {
    case .app: try Self.read(InstalledApp.self, body)
    case .person: try Self.read(Person.self, body)
    case .tenant: try Self.read(Tenant.self, body)
    case .registration: try Self.read(ClientRegistration.self, body)
    case .device: try Self.read(Device.self, body)
    case .policy: try Self.read(Policy.self, body)
    }
  }

  private static func read<T: Codable>(_ type: T.Type, _ body: Data) throws -> ([FieldType], JSONValue) {
    let record = try decodeJSON(type, from: body)
    let value = try JSONParser.parse(encodeJSON(record))
    let fields = Mirror(reflecting: record).children.compactMap { child in
      child.label.map {
        FieldType(
          name: $0, expected: expected(String(describing: Swift.type(of: child.value))),
          isOptional: Mirror(reflecting: child.value).displayStyle == .optional)
      }
    }
    return (fields, value)
  }

  /// In words what a Swift type takes; `Optional<Array<String>>` is a list.
  private static func expected(_ type: String) -> String {
    let words = [
      ("Array<String>", "a list of texts: = sets it, += and -= change it"), ("Bool", "yes or no"),
      ("Int", "a whole number"), ("String", "a text"),
    ]
    return words.first { type.hasSuffix($0.0) || type == "Optional<\($0.0)>" }?.1 ?? "a JSON object or list"
  }
}

/// One record as it is shown: its name, and each field with its value as text.
package struct RecordRow: Codable, Hashable, Sendable, Identifiable {
  package struct Field: Codable, Hashable, Sendable {
    package var name: String
    /// Secrets are masked, unless they were asked for; a list is joined with commas; nil: not set.
    package var value: String?
    package var canChange: Bool
    /// What it may be, if that is a closed set.
    package var choices: [String]?
    /// Its value is masked wherever nobody asked for it.
    package var isSecret: Bool
    /// Whether it may be taken away.
    package var isOptional: Bool
    /// Whether it is a list, whose parts are joined with commas.
    package var hasParts: Bool
  }
  package var id: String { name }
  package var kind: RecordKind
  /// A bundle ID, username, tenant ID, client ID, device ID or the name of a policy.
  package var name: String
  package var title: String
  package var fields: [Field]
}
