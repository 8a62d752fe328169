import SSOCore
import SSODevice

/// An action that a user can perform in the lab.
///
/// Screens, commands, and scenario files create the same values. ``Lab/perform(_:answers:listener:)`` performs an
/// intent in a single transaction.
///
/// Throws `LabError` for unknown names, `NeedsAnswer`, `SDKError`, `KeychainError`, and `StoreError`.
package protocol Intent: Hashable, Sendable {
  /// The name in scenario files, such as "endApp", which is unique.
  static var verb: String { get }
  /// The line for the journal, the trace list, and undo.
  var displayText: String { get }
  /// The display text, with names instead of the IDs of accounts and registrations.
  func displayText(_ names: KnownAccounts) throws -> String
  /// Whether undo can revert the intent.
  var isJournaled: Bool { get }
  /// Replaces partial names with the complete names that the journal and the trace show.
  /// - Throws: `LabError`, with the nearest name.
  mutating func resolve(in lab: LabReader) throws
  /// Returns the accounts that a removal is about, by username or home account ID.
  func removedAccounts(_ reader: LabReader) throws -> [String]
  /// Performs the intent.
  func run(in transaction: IntentTransaction) throws -> Outcome
}

extension Intent {
  package func displayText(_ names: KnownAccounts) -> String { displayText }
  package var isJournaled: Bool { true }
  package mutating func resolve(in lab: LabReader) {}
  package func removedAccounts(_ reader: LabReader) -> [String] { [] }
}

/// An intent about one app.
package protocol AppIntent: Intent {
  /// A bundle ID, a display name, or an unambiguous part of one.
  var app: String { get set }
}

extension AppIntent {
  package mutating func resolve(in lab: LabReader) throws { app = try lab.app(app).bundleID }
}

/// An intent in a message, a dialog, or a step of a scenario, where it is compared.
package struct AnyIntent: Hashable, Sendable {
  package let value: any Intent

  package init(_ value: any Intent) { self.value = value }

  package static func == (one: AnyIntent, other: AnyIntent) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}

/// The result of ``Lab/perform(_:answers:listener:)``.
package enum IntentResult: Sendable {
  /// Committed; the trace is stored under this ID.
  case done(Outcome, traceID: Int64)
  /// Nothing was written because the flow needs one more answer. Prompt for it, append it, and perform the same intent
  /// again.
  case needs(Prompt, hopsSoFar: [Hop])
}
