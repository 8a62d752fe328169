/// An expected hop of a step's trace.
///
/// Omitted values are not checked.
package struct ExpectedHop: Hashable, Sendable {
  package var from: Party?
  package var to: Party?
  /// A part of the hop's action.
  package var action: String?
  /// A part of the hop's result.
  package var result: String?
  /// The values that the hop must carry, each compared in full; it may carry other values too.
  package var sent: [NameValue] = []

  func matches(_ hop: Hop) -> Bool {
    if let from, from != hop.from { return false }
    if let to, to != hop.to { return false }
    if let action, !hop.action.contains(action) { return false }
    if let result, !hop.result.contains(result) { return false }
    return sent.allSatisfy(hop.sent.contains)
  }

  /// Returns the first hop with the parties and the action, whatever its result and values, or `nil` if there is none.
  func nearest(in hops: ArraySlice<Hop>) -> Hop? {
    hops.first { ExpectedHop(from: from, to: to, action: action).matches($0) }
  }

  var words: String { Self.words([from, to].map { $0?.rawValue ?? "…" }, action, result, sent) }

  static func words(_ hop: Hop) -> String {
    words([hop.from, hop.to].map(\.rawValue), hop.action, hop.result, hop.sent)
  }

  private static func words(
    _ parties: [String], _ action: String?, _ result: String?, _ sent: [NameValue]
  ) -> String {
    let values = sent.map { "\($0.name)=\($0.value)" }
    let words: [String?] = [
      "hop", parties.joined(separator: " → "), action.map { "'\($0)'" }, result.map { "with '\($0)'" },
    ]
    return (words.compactMap(\.self) + values).joined(separator: " ")
  }
}
