import Foundation
import SSOCore

/// A change of one field, as it is typed: `teamID=F6G7H8I9J0`, `urlSchemes+=msauthv3`, `queriesSchemes-=msauthv2`.
package struct FieldChange: Codable, Hashable, Sendable {
  package enum Operation: String, Codable, Sendable {
    case set = "="
    case add = "+="
    case remove = "-="
  }

  package var field: String
  package var operation: Operation
  package var value: String

  /// - Throws: `LabError` if there is no `=`.
  package init(_ text: String) throws(LabError) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw LabError(
        .badInput, "“\(text)” changes nothing.", why: "Expected FIELD=VALUE, FIELD+=VALUE or FIELD-=VALUE.",
        next: "An empty value takes the field away: keychainSharingGroup=")
    }
    let before = text[text.index(before: sign)]
    let isList = before == "+" || before == "-"
    operation = isList ? (before == "+" ? .add : .remove) : .set
    field = String(text[..<(isList ? text.index(before: sign) : sign)])
    value = String(text[text.index(after: sign)...])
  }

  package var words: String { field + operation.rawValue + (isSecret ? "…" : value) }

  /// Whether its value is shown nowhere.
  package var isSecret: Bool { RecordKind.secretFields.contains(field) }

  /// The values that this text may mean for the field, the likeliest first.
  func candidates(for present: JSONValue?) -> [JSONValue] {
    let items = value.split(separator: ",").map { JSONValue.string(String($0.trimmed)) }
    let parts = ["{", "["].contains(value.prefix(1)) ? JSONValue(bounded: Data(value.utf8)) : nil
    if case .array(let list) = present {
      switch operation {
      case .set: return (parts.map { [$0] } ?? []) + [.array(items)]
      case .add: return [.array(list + items.filter { !list.contains($0) })]
      case .remove: return [.array(list.filter { !items.contains($0) })]
      }
    }
    guard operation == .set else {
      // A list that is not there yet may grow.
      return operation == .add && present == nil ? [.array(items)] : []
    }
    var candidates: [JSONValue] = value.isEmpty ? [.null, .string("")] : [.string(value)]
    if let flag = ["yes": true, "true": true, "no": false, "false": false][value.lowercased()] {
      candidates.insert(.bool(flag), at: 0)
    }
    if let number = Int64(value) { candidates.append(.integer(number)) }
    candidates.append(.array(items))
    return candidates + (parts.map { [$0] } ?? [])
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
