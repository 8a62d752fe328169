import Essentials
import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// The records of a lab that a user may edit.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct RecordQueries {
  let reader: LabReader

  /// Returns the records of a kind, sorted by key.
  package func rows(_ kind: RecordKind) throws -> [RecordRow] {
    try stored(kind).map { record in
      var row = try record.row(on: reader.device.platform)
      row.isElsewhere = kind == .device && record.key != reader.device.id
      return row
    }
  }

  /// Returns the record with a name or an unambiguous part of it.
  ///
  /// - Throws: `LabError` with the most similar name.
  package func row(_ kind: RecordKind, named name: String, unmasked: Bool = false) throws -> RecordRow {
    var row = try stored(kind, named: name).row(on: reader.device.platform, unmasked: unmasked)
    if kind == .app { row.note = reader.device.simulationCheck?.reason }
    return row
  }

  func stored(_ kind: RecordKind) throws -> [StoredRecord] {
    let prefix = kind == .app ? reader.device.id + "/" : ""
    return try reader.documents.documents(kind.documentKind, keyPrefix: prefix).map {
      StoredRecord(kind: kind, key: $0.key, body: $0.body)
    }
  }

  func stored(_ kind: RecordKind, named name: String) throws -> StoredRecord {
    let all = try stored(kind)
    let named = try all.map { (record: $0, row: try $0.row()) }
    let wanted = name.lowercased()
    func fits(_ row: RecordRow, _ test: (String) -> Bool) -> Bool {
      test(row.name.lowercased()) || test(row.title.lowercased())
    }
    if let exact = named.first(where: { fits($0.row) { $0 == wanted } }) { return exact.record }
    // As at Entra, each of a tenant's domains names it.
    if kind == .tenant, let tenant = try reader.directory.tenant(byNameOrID: name),
      let record = all.first(where: { $0.key == tenant.id })
    {
      return record
    }
    let parts = named.filter { fits($0.row) { $0.contains(wanted) } }
    if parts.count == 1 { return parts[0].record }
    guard parts.isEmpty else {
      throw LabError.ambiguous(.nothingMatched, "record", name, in: parts.map(\.row.name))
    }
    throw LabError.unknown(
      .nothingMatched, kind.noun, name, among: named.flatMap { [$0.row.name, $0.row.title] },
      list: "\(.list, kind.rawValue)")
  }
}

/// A record with its stored bytes.
struct StoredRecord {
  var kind: RecordKind
  var key: String
  var body: Data

  /// The name for users: the last part of the key if the key begins with the device.
  var name: String { kind == .app ? String(key.split(separator: "/").last ?? "") : key }

  /// Returns the record for display.
  ///
  /// A field that the platform does not have is not listed, unless it has a value.
  func row(on platform: Platform? = nil, unmasked: Bool = false) throws -> RecordRow {
    let all = try kind.read(body)
    let own = all.first { $0.field.name == "platform" }?.value.string.flatMap { Platform(rawValue: $0) }
    let hidden =
      (own ?? platform).map { $0.missingFields(of: kind).union($0.unsimulatedFields(of: kind)) } ?? []
    // Windows' defaults stand for those of MSAL.NET, and have iOS's values.
    let isWindows = kind == .app && (own ?? platform) == .windows
    let usual = isWindows ? try decodeJSON(InstalledApp.self, from: body).asOnWindows : nil
    let fields = all.filter { field, value in
      !hidden.contains(field.name) || !value.isUnset && usual?.value(of: field.name) != value
    }
    func text(_ name: String) -> String? { fields.first { $0.field.name == name }?.value.string }
    return RecordRow(
      kind: kind, name: (kind == .person ? text("username") : nil) ?? name,
      title: text("displayName") ?? text("name") ?? name,
      fields: fields.map { field, value in
        var field = RecordRow.Field(field, value, unmasked: unmasked)
        field.choices = (own ?? platform)?.choices(of: field.name, kind) ?? field.choices
        return field
      })
  }
}

extension RecordRow.Field {
  fileprivate init(_ field: RecordFieldDescription, _ value: JSONValue, unmasked: Bool) {
    name = field.name
    self.value = field.isSecret && !unmasked ? value.maskedText : value.shown
    canChange = !field.isIdentity
    choices =
      switch field.form {
      case .choice(let words): words
      case .flag: ["yes", "no"]
      case .text, .texts, .number, .structure: nil
      }
    isSecret = field.isSecret
    isOptional = field.isOptional
    hasParts = field.form == .texts
  }
}

extension InstalledApp {
  /// The app with the defaults of Windows.
  fileprivate var asOnWindows: InstalledApp {
    PlatformDefaults(.windows, sdk).app(
      bundleID: bundleID, teamID: teamID, clientID: clientID, vendor: vendor)
  }
}

extension Platform {
  /// The names of the fields that apps or devices of the platform do not have.
  func missingFields(of kind: RecordKind) -> Set<String> {
    switch (kind, self) {
    case (.app, .iOS): Self.androidFields.union(["serializedADALCache", "xpcMode"])
    case (.app, .macOS): Self.androidFields
    case (.app, .android): Self.appleFields.union(["extendedLifetimeEnabled", "tokenExpirationBuffer"])
    case (.app, .windows):
      Self.appleFields.union(Self.androidFields).union([
        "urlForwarding", "extendedLifetimeEnabled", "tokenExpirationBuffer",
      ])
    case (.device, .iOS), (.device, .macOS): []
    case (.device, .android), (.device, .windows): ["isLocked", "ssoProfile"]
    default: []
    }
  }

  /// Returns the values that a field can have on the platform, or `nil` if it can have all that it has elsewhere.
  func choices(of field: String, _ kind: RecordKind) -> [String]? {
    switch (kind, field) {
    case (.app, "webView"): webViews.map(\.rawValue)
    // Android's manifest may or may not list the activity that takes the redirect URI (docs/behaviour/android.md
    // §1(2)).
    case (.app, "urlForwarding") where self == .android: [URLForwarding.both, .neither].map(\.rawValue)
    default: nil
    }
  }

  /// The names of the fields whose defaults stand for those of an SDK that the lab does not simulate.
  func unsimulatedFields(of kind: RecordKind) -> Set<String> {
    kind == .app && self == .windows ? ["webView"] : []
  }

  /// The fields of the configuration and code that only MSAL for Android has.
  private static let androidFields: Set = [
    "accountMode", "createdAs", "isActivityExported", "configurationError",
  ]

  /// The fields of Info.plist, entitlements, and of settings that only MSAL and ADAL for Apple's platforms have.
  private static let appleFields: Set = [
    "authorityClass", "keychainAccessGroups", "keychainSharingGroup", "urlSchemes", "queriesSchemes",
    "bypassesRedirectValidation", "usesScenes", "userIDType", "serializedADALCache", "xpcMode", "isExtension",
  ]
}

extension JSONValue {
  /// Whether the field has not been set.
  fileprivate var isUnset: Bool { [.null, .bool(false), .array([]), .string("")].contains(self) }

  /// The masked text of a secret or a list of secrets.
  fileprivate var maskedText: String? {
    if self == [] { return nil }
    return string.map(masked) ?? array?.compactMap { $0.string.map(masked) }.joined(separator: ", ")
  }

  /// The text of a field, with a list joined by commas, or `nil` for null and for an empty list.
  fileprivate var shown: String? {
    switch self {
    case .null: nil
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .numeral(let text): text
    case .string(let text): text
    case .array(let list): list.isEmpty ? nil : list.compactMap(\.shown).joined(separator: ", ")
    case .object(let object):
      object.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown ?? "none")" }.joined(
        separator: ", ")
    }
  }
}
