import Essentials
import SSOCore
import SSODevice
import SSOProvider

/// A record whose fields a user may view and change.
package protocol DescribedRecord: Codable, Hashable, Sendable {
  /// Every stored property that a user may view, in the order of lists.
  static var fields: [RecordField<Self>] { get }
}

extension DescribedRecord {
  static var descriptions: [RecordFieldDescription] { fields.map(\.description) }
  package static var fieldNames: [String] { fields.map(\.description.name) }

  /// Returns each field with its value.
  ///
  /// - Throws: `DecodingError` if the bytes are not such a record.
  static func read(_ body: Data) throws -> [(field: RecordFieldDescription, value: JSONValue)] {
    let record = try decodeJSON(Self.self, from: body)
    return fields.map { ($0.description, $0.value(record)) }
  }

  /// Returns the record's bytes after the change, or `nil` if the field cannot have the value.
  static func applying(_ change: FieldChange, to body: Data) throws -> Data? {
    try decodeJSON(Self.self, from: body).applying(change).map { try encodeJSON($0) }
  }

  /// Returns the reason that a field does not accept a value of the right form, or `nil` if it does.
  static func problem(of change: FieldChange) -> String? {
    guard let field = fields.first(where: { $0.description.name == change.field }),
      let value = change.value(for: field.description, present: .null)
    else { return nil }
    return field.problem(value)
  }

  /// Returns the record after the change, or `nil` if the field cannot have the value.
  package func applying(_ change: FieldChange) -> Self? {
    var record = self
    guard let field = Self.fields.first(where: { $0.description.name == change.field }),
      let value = change.value(for: field.description, present: field.value(record)),
      field.assign(&record, value)
    else { return nil }
    return record
  }

  /// Returns the names of the fields whose values differ from another record's.
  package func fieldNames(differingFrom other: Self) -> [String] {
    Self.fields.filter { $0.value(self) != $0.value(other) }.map(\.description.name)
  }

  /// Returns the value of a field, or `nil` if the record does not have this field.
  package func value(of name: String) -> JSONValue? {
    Self.fields.first { $0.description.name == name }?.value(self)
  }
}

extension SDKKind: RecordFieldValue {}
extension BrokerUse: RecordFieldValue {}
extension WebViewKind: RecordFieldValue {}
extension URLForwarding: RecordFieldValue {}
extension UserIDType: RecordFieldValue {}
extension Platform: RecordFieldValue {}
extension XPCMode: RecordFieldValue {}
extension AccountMode: RecordFieldValue {}
extension AuthorityClass: RecordFieldValue {}
extension Policy.Requirement: RecordFieldValue {}
extension Policy.Flow: RecordFieldValue {}
extension GroupMembershipClaims: RecordFieldValue {}
extension ClientRegistration.AccountKind: RecordFieldValue {}

extension InstalledApp: DescribedRecord {
  package static let fields: [RecordField<InstalledApp>] = [
    RecordField("bundleID", \.bundleID).identity, RecordField("teamID", \.teamID),
    RecordField("displayName", \.displayName).named(by: \.bundleID), RecordField("vendor", \.vendor),
    RecordField("version", \.version), RecordField("sdk", \.sdk), RecordField("sdkVersion", \.sdkVersion),
    RecordField("clientID", \.clientID), RecordField("redirectURI", \.redirectURI),
    RecordField("authority", \.authority), RecordField("authorityClass", \.authorityClass),
    RecordField("scopes", \.scopes),
    RecordField("keychainAccessGroups", \.keychainAccessGroups),
    RecordField("keychainSharingGroup", \.keychainSharingGroup), RecordField("urlSchemes", \.urlSchemes),
    RecordField("queriesSchemes", \.queriesSchemes), RecordField("brokerUse", \.brokerUse),
    RecordField("webView", \.webView),
    RecordField("bypassesRedirectValidation", \.bypassesRedirectValidation),
    RecordField("urlForwarding", \.urlForwarding), RecordField("usesScenes", \.usesScenes),
    RecordField("clientCapabilities", \.clientCapabilities),
    RecordField("extendedLifetimeEnabled", \.extendedLifetimeEnabled),
    RecordField("userIDType", \.userIDType), RecordField("knownAuthorities", \.knownAuthorities),
    RecordField("tokenExpirationBuffer", \.tokenExpirationBuffer),
    RecordField("serializedADALCache", \.serializedADALCache), RecordField("xpcMode", \.xpcMode),
    RecordField("accountMode", \.accountMode), RecordField("createdAs", \.createdAs),
    RecordField("isActivityExported", \.isActivityExported),
    RecordField("configurationError", \.configurationError), RecordField("isExtension", \.isExtension),
    RecordField("platform", \.platform),
  ]
}

/// The fields of a device.
///
/// `processes` and `platformSSORegistration` are not listed, because the lab manages them.
extension Device: DescribedRecord {
  package static let fields: [RecordField<Device>] = [
    RecordField("id", \.id).identity, RecordField("name", \.name), RecordField("platform", \.platform),
    RecordField("brokerVersion", \.brokerVersion), RecordField("isLocked", \.isLocked),
    RecordField(structure: "brokerManagement", isOptional: true, \.brokerManagement),
    RecordField("systemVersion", \.systemVersion),
    RecordField(structure: "certificates", \.certificates).secret, RecordField("isShared", \.isShared),
    RecordField(structure: "ssoProfile", isOptional: true, \.ssoProfile).refusing(SSOProfile.problem),
  ]
}

extension SSOProfile {
  /// Returns the reason that a payload is rejected: a key that Apple and Microsoft do not document, which neither the
  /// system nor the extension reads.
  @Sendable fileprivate static func problem(of payload: JSONValue) -> String? {
    let known = payloadKeys + ExtensionData.CodingKeys.allCases.map(\.rawValue)
    guard let key = unknownKeys(in: payload).first else { return nil }
    return "A payload has no key \(key)."
      + (nearestName(to: key, among: known).map { " Did you mean \($0)?" } ?? "")
  }
}

extension Tenant: DescribedRecord {
  package static let fields: [RecordField<Tenant>] = [
    RecordField("id", \.id).identity, RecordField("displayName", \.displayName).named(by: \.id),
    RecordField("domains", \.domains),
    RecordField(structure: "subscriptions", isOptional: true, \.subscriptions),
    RecordField("detectsRefreshTokenReuse", \.detectsRefreshTokenReuse),
    RecordField("cloudHost", \.cloudHost), RecordField("runsADFS", \.runsADFS),
  ]
}

extension DirectoryUser: DescribedRecord {
  package static let fields: [RecordField<DirectoryUser>] = [
    RecordField("objectID", \.objectID).identity, RecordField("homeTenantID", \.homeTenantID).identity,
    RecordField("username", \.username),
    RecordField("displayName", \.displayName).named(by: \.username),
    RecordField("givenName", \.givenName), RecordField("familyName", \.familyName),
    RecordField("password", \.password).secret, RecordField("requiresMFA", \.requiresMFA),
    RecordField("isDisabled", \.isDisabled), RecordField("isAdministrator", \.isAdministrator),
    RecordField("hasExpiredPassword", \.hasExpiredPassword),
    RecordField("hasNoPassword", \.hasNoPassword), RecordField("hasNoSecondFactor", \.hasNoSecondFactor),
    RecordField("hasManyGroups", \.hasManyGroups),
    RecordField(structure: "guestIn", \.guestIn).requiring(
      "It is {\"TENANTID\":\"OBJECTID\"}, with the user's object ID in that tenant, and {} removes all of them."
    ) { $0.object?.values.allSatisfy { $0.string?.isEmpty == false } ?? false },
    RecordField("isPersonal", \.isPersonal), RecordField("certificates", \.certificates).secret,
  ]
}

extension ClientRegistration: DescribedRecord {
  package static let fields: [RecordField<ClientRegistration>] = [
    RecordField("clientID", \.clientID).identity,
    RecordField("displayName", \.displayName).named(by: \.clientID),
    RecordField("publisher", \.publisher), RecordField("redirectURIs", \.redirectURIs).withoutScript,
    RecordField("familyID", \.familyID), RecordField("allowedScopes", \.allowedScopes),
    RecordField("isMultiTenant", \.isMultiTenant), RecordField("homeTenantID", \.homeTenantID),
    RecordField("adminOnlyScopes", \.adminOnlyScopes), RecordField("isPreauthorized", \.isPreauthorized),
    RecordField("secrets", \.secrets).secret,
    RecordField("secretsExpireAt", \.secretsExpireAt).requiring("A time, such as 2026-03-02T09:00:00Z.") {
      _ in true
    },
    RecordField(structure: "publicKeys", \.publicKeys),
    RecordField("logoutURIs", \.logoutURIs).withoutScript, RecordField("refreshIn", \.refreshIn),
    RecordField("extExpiresIn", \.extExpiresIn),
    RecordField("declinedScopes", \.declinedScopes), RecordField("identifierURIs", \.identifierURIs),
    RecordField("exposedScopes", \.exposedScopes), RecordField("accessTokenVersion", \.accessTokenVersion),
    RecordField("spaRedirectURIs", \.spaRedirectURIs).withoutScript,
    RecordField("webRedirectURIs", \.webRedirectURIs).withoutScript,
    RecordField("allowsPublicClient", \.allowsPublicClient),
    RecordField("requiredAPIs", \.requiredAPIs).removedByEmptyValue,
    RecordField("isAssignmentRequired", \.isAssignmentRequired), RecordField("assigned", \.assigned),
    RecordField("isDisabled", \.isDisabled), RecordField("requestLimit", \.requestLimit),
    RecordField("accounts", \.accounts), RecordField("isConverged", \.isConverged),
    RecordField("hasNoServicePrincipal", \.hasNoServicePrincipal),
    RecordField("enableIDTokenIssuance", \.enableIDTokenIssuance),
    RecordField("enableAccessTokenIssuance", \.enableAccessTokenIssuance),
    RecordField("frontChannelLogoutURI", \.frontChannelLogoutURI).requiring(
      "An address that begins with https:, or http: on this machine."
    ) { $0.string.map(isFrontChannelLogout) ?? true },
    RecordField("groupMembershipClaims", \.groupMembershipClaims),
    RecordField(structure: "optionalClaims", isOptional: true, \.optionalClaims)
      .refusing(OptionalClaims.problem),
    RecordField(structure: "federatedCredentials", isOptional: true, \.federatedCredentials),
    RecordField("isApprovedApp", \.isApprovedApp),
  ]
}

extension OptionalClaims {
  /// Returns the reason that a value is rejected: a key or a claim that Entra does not have.
  @Sendable package static func problem(of value: JSONValue) -> String? {
    func refusal(_ sentence: String, _ name: String, _ known: [String]) -> String {
      sentence + (nearestName(to: name, among: known).map { " Did you mean \($0)?" } ?? "")
    }
    guard let lists = value.object else { return nil }
    for (token, list) in lists.sorted(by: { $0.key < $1.key }) {
      guard tokens.contains(token) else {
        return refusal("Optional claims are not of \(token).", token, tokens)
      }
      for claim in list.array ?? [] {
        let name = (claim["name"] ?? claim).string ?? ""
        guard names.contains(name) || name.hasPrefix("extension_") else {
          return refusal("Entra does not have an optional claim \(name).", name, names.sorted())
        }
      }
    }
    return nil
  }
}

extension Policy: DescribedRecord {
  package static let fields: [RecordField<Policy>] = [
    RecordField("name", \.name).identity, RecordField("requires", \.requires),
    RecordField("tenantID", \.tenantID), RecordField("username", \.username),
    RecordField("clientID", \.clientID), RecordField("flow", \.flow), RecordField("hours", \.hours),
    RecordField("executables", \.executables),
  ]
}

extension Group: DescribedRecord {
  package static let fields: [RecordField<Group>] = [
    RecordField("name", \.name).identity, RecordField("objectID", \.objectID),
    RecordField("tenantID", \.tenantID), RecordField("members", \.members),
  ]
}

extension AppRole: DescribedRecord {
  package static let fields: [RecordField<AppRole>] = [
    RecordField("name", \.name).identity, RecordField("value", \.value),
    RecordField("clientID", \.clientID), RecordField("members", \.members),
  ]
}

extension ManagedIdentity: DescribedRecord {
  package static let fields: [RecordField<ManagedIdentity>] = [
    RecordField("name", \.name).identity, RecordField("clientID", \.clientID),
    RecordField("objectID", \.objectID), RecordField("tenantID", \.tenantID),
    RecordField("isSystemAssigned", \.isSystemAssigned), RecordField("resourceID", \.resourceID),
  ]
}

extension RecordField<ClientRegistration> {
  fileprivate var withoutScript: RecordField {
    requiring("None may be javascript:, data: or vbscript:.") { value in
      !(value.array ?? []).compactMap(\.string).contains(where: runsScript)
    }
  }
}
