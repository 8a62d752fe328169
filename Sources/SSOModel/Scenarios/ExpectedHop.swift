/// One hop of a step's trace.
///
/// What is not given is not judged.
package struct ExpectedHop: Hashable, Sendable {
  package var from: Party?
  package var to: Party?
  /// A part of its words.
  package var action: String?
  /// A part of its words.
  package var result: String?
  /// What it must carry, each value as a whole; other values may be there too.
  package var sent: [NameValue] = []

  func matches(_ hop: Hop) -> Bool {
    if let from, from != hop.from { return false }
    if let to, to != hop.to { return false }
    if let action, !hop.action.contains(action) { return false }
    if let result, !hop.result.contains(result) { return false }
    return sent.allSatisfy(hop.sent.contains)
  }

  /// The first that has the parties and the action, whatever its result and values are.
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
