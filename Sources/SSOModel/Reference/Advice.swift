/// The next step after an error, a refusal, or a change.
///
/// It is a sentence whose actions are values. The command line words an action as a command, a screen as the key or the
/// place that does the same. In a literal, an action is an interpolation:
///
///     "Sign in first: \(.signIn, "APP")"
package struct Advice: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    case action(Action)
  }

  /// The text and the actions in order, without two texts in a row.
  package private(set) var parts: [Part] = []

  /// Creates advice that does not name an action.
  package init(_ text: String) { append(text) }

  package var isEmpty: Bool { parts.isEmpty }
  package var actions: [Action] {
    parts.compactMap { if case .action(let action) = $0 { action } else { nil } }
  }

  private mutating func append(_ text: some StringProtocol) {
    guard !text.isEmpty else { return }
    if case .text(let before) = parts.last {
      parts[parts.count - 1] = .text(before + text)
    } else {
      parts.append(.text(String(text)))
    }
  }

  /// Returns the advice up to the first of some words, or the entire advice if it contains none of them.
  func prefix(upTo words: [String]) -> Advice {
    var advice = self
    for (index, part) in parts.enumerated() {
      guard case .text(let text) = part else { continue }
      let starts = words.compactMap { text.firstRange(of: $0)?.lowerBound }
      guard let end = starts.min() else { continue }
      advice.parts = Array(parts[..<index])
      advice.append(text[..<end])
      break
    }
    return advice
  }
}

// MARK: - Actions

extension Advice {
  /// An action of the program with its arguments.
  package struct Action: Hashable, Sendable {
    package var verb: Verb
    /// The objects of the action, such as an app.
    ///
    /// For an action on records, the first is their kind.
    package var arguments: [String]
    /// The details, with an empty string for details without a value.
    package var details: [Detail: String]

    package init(_ verb: Verb, _ arguments: [String] = [], with details: [Detail: String?] = [:]) {
      self.verb = verb
      self.arguments = arguments
      self.details = details.compactMapValues(\.self)
    }
  }

  package enum Verb: String, CaseIterable, Sendable {
    // Lists and single objects.
    case apps, accounts, tokens, keychain, status, traces, trace, journal, faults, scenarios, labs
    case environment
    // Records of a kind.
    case list, show, set, add, remove
    // Explanations.
    case why, explain, doctor, checklistFormat
    // Calls of an app.
    case signIn, silent, signOut, currentAccount, enroll
    // Changes to the lab.
    case installBroker, resetClock, undo, undoForAnyone, redo, redoForAnyone, addFault, addFederation
    // The program itself.
    case start, openReadOnly, serve, serveBroker, exportKey, importKey
    case useDevice
  }

  /// A detail of an action, in the order in which details are given.
  package enum Detail: String, CaseIterable, Sendable {
    case account, token, trace, prompt, browser, wipeAccount, wipeCache, client, json, require, executable
    case times, fault, bind, port, output, store
  }
}

// MARK: - Literals

extension Advice: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var advice = Advice("")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { advice.append(literal) }
    package mutating func appendInterpolation(_ text: String) { advice.append(text) }
    package mutating func appendInterpolation(_ number: some BinaryInteger) { advice.append("\(number)") }
    package mutating func appendInterpolation(_ other: Advice) {
      for part in other.parts {
        switch part {
        case .text(let text): advice.append(text)
        case .action: advice.parts.append(part)
        }
      }
    }
    package mutating func appendInterpolation(
      _ verb: Verb, _ arguments: String..., with details: [Detail: String?] = [:]
    ) {
      advice.parts.append(.action(Action(verb, arguments, with: details)))
    }
  }

  package init(stringLiteral text: String) { self.init(text) }
  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.advice }
}

// MARK: - Notation

/// The notation of advice in data: `Wait, then try again; in the lab: {faults}`.
///
/// An action is its verb, its arguments, and its details (`{enroll APP account:USER}`). Any other text in braces stays
/// text.
extension Advice: Codable, CustomStringConvertible {
  package init(notation: String) {
    var rest = notation[...]
    while let start = rest.firstIndex(of: "{") {
      append(rest[..<start])
      rest = rest[start...]
      if let end = rest.firstIndex(of: "}"), let action = Action(notation: rest[..<end].dropFirst()) {
        parts.append(.action(action))
        rest = rest[end...].dropFirst()
      } else {
        append(rest.prefix(1))
        rest = rest.dropFirst()
      }
    }
    append(rest)
  }

  package var description: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .action(let action): "{\(action.notation)}"
      }
    }.joined()
  }

  package init(from decoder: any Decoder) throws {
    self.init(notation: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Advice.Action {
  fileprivate init?(notation: some StringProtocol) {
    let words = notation.split(separator: " ")
    guard let verb = words.first.flatMap({ Advice.Verb(rawValue: String($0)) }) else { return nil }
    self.init(verb)
    for word in words.dropFirst() {
      let halves = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
        Self.unescaped($0)
      }
      if halves.count == 1 {
        arguments.append(halves[0])
      } else if let detail = Advice.Detail(rawValue: halves[0]) {
        details[detail] = halves[1]
      } else {
        return nil
      }
    }
  }

  fileprivate var notation: String {
    let given = Advice.Detail.allCases.compactMap { detail in
      details[detail].map { "\(detail.rawValue):\(Self.escaped($0))" }
    }
    return ([verb.rawValue] + arguments.map(Self.escaped) + given).joined(separator: " ")
  }

  /// The characters with a meaning in the notation, and their escapes.
  private static let escapes = [("%", "%25"), (" ", "%20"), (":", "%3A"), ("{", "%7B"), ("}", "%7D")]

  private static func escaped(_ text: String) -> String {
    escapes.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private static func unescaped(_ text: some StringProtocol) -> String {
    escapes.reversed().reduce(String(text)) { $0.replacing($1.1, with: $1.0) }
  }
}
