import SSOCore
import SSOLab
import TerminalUI

/// A field of a credential: its key in JSON, and how the inspector and `ssoterm tokens` show it.
///
/// A column of Tokens is a property of `TokenRow` and a line of this table.
struct TokenField: Sendable {
  /// The key in the output of `ssoterm tokens --json`.
  let key: String
  /// The name in the inspector, or `nil` if the inspector does not list the field.
  var label: String?
  /// The text before the value in the last column of `ssoterm tokens`, or `nil` if it is not in that column.
  var prefix: String?
  /// Whether the inspector shows a long value on several lines.
  var wraps = false
  let value: @Sendable (TokenRow) -> JSONValue

  /// The fields, in the inspector's order.
  static let all: [TokenField] = [
    TokenField(key: "id") { .string($0.id) },
    TokenField(key: "type") { .string($0.type) },
    TokenField(key: "redirectURIs") { .strings($0.redirectURIs) },
    TokenField(key: "apps") { .strings($0.apps) },
    TokenField(key: "homeAccountID") { .string($0.homeAccountID) },
    TokenField(key: "username") { .optional($0.username) },
    TokenField(key: "environment") { .string($0.environment) },
    TokenField(key: "state") { .string($0.state.rawValue) },
    TokenField(key: "expiresOn") { .moment($0.expiresOn) },
    TokenField(key: "cachedAt") { .moment($0.cachedAt) },
    TokenField(key: "secondsLeft") { .optional($0.secondsLeft) },
    TokenField(key: "clientID", label: "Client ID") { .string($0.clientID) },
    TokenField(key: "accessGroup", label: "Group") { .string($0.accessGroup) },
    TokenField(key: "realm", label: "Realm", prefix: "realm ") { .optional($0.realm) },
    TokenField(key: "familyID", label: "Family", prefix: "family ") { .optional($0.familyID) },
    TokenField(key: "target", label: "Scopes", prefix: "", wraps: true) { .optional($0.target) },
  ]
}

extension TokenRow {
  /// Returns the row as JSON.
  ///
  /// If `unmasked` is true, the row was read with its secret.
  package func json(unmasked: Bool) -> JSONValue {
    let fields = TokenField.all.map { ($0.key, $0.value(self)) }
    let row = JSONValue.object(Dictionary(uniqueKeysWithValues: fields))
    return unmasked ? row.adding(["secret": .string(secret)]) : row
  }

  /// The contents of the last column of `ssoterm tokens`: the scopes first, because a narrow terminal truncates the rest.
  package var remark: String {
    TokenField.all.reversed().compactMap { field in
      field.prefix.flatMap { prefix in field.value(self).string.map { prefix + $0 } }
    }.joined(separator: ", ")
  }

  /// Returns the lines of the inspector's fields that have a value.
  func fieldLines(width: Int) -> [PanelLine] {
    TokenField.all.flatMap { item -> [PanelLine] in
      guard let label = item.label, let value = item.value(self).string else { return [] }
      return item.wraps
        ? TerminalUI.fieldLines(label, value, width: width) : [field(label, value, width: width)]
    }
  }
}
