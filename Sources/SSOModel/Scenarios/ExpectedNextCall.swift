/// The expected result of an app's next silent call: the same for each of its accounts, or by username.
package enum ExpectedNextCall: Hashable, Sendable {
  case ofEachAccount(Prediction.Kind)
  case byUsername([String: Prediction.Kind])

  /// Returns the differences between the predictions and the expectation; `found` has the predictions by username.
  func judge(_ found: [String: Prediction.Kind], of app: String) -> [Mismatch] {
    let expected: [String: Prediction.Kind]
    switch self {
    case .ofEachAccount(let kind): expected = found.isEmpty ? ["": kind] : found.mapValues { _ in kind }
    case .byUsername(let kinds): expected = kinds
    }
    return expected.sorted { $0.key < $1.key }.filter { found[$0.key] != $0.value }.map { name, kind in
      let call = name.isEmpty ? "next call of \(app)" : "next call of \(app) for \(name)"
      return Mismatch(
        expected: "\(call): \(kind.rawValue)", found: "\(call): \(found[name]?.rawValue ?? "none")")
    }
  }
}
