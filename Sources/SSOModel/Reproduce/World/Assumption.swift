import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// A value that no source shows, with the reason for it.
package struct Assumption: Hashable, Sendable {
  package var name: EvidenceFact.Name
  package var value: String
  package var why: String
  /// The values to choose from, including the current one; empty if it cannot be changed.
  package var choices: [Choice] = []

  /// A value that may be assumed in place of another.
  package struct Choice: Hashable, Sendable {
    package var value: String
    package var detail: String
  }

  /// The reason for a value that no source shows.
  package static let unshown = "no source shows it"
  /// The reason for a value that the user has set.
  static let chosen = "you chose it"

  /// Whether the user may set another value.
  package var canChange: Bool { !choices.isEmpty || [.clientID, .bundleID, .redirectURI].contains(name) }

  /// Returns whether a text that is not among the choices is a valid value.
  package func takes(_ text: String) -> Bool {
    switch name {
    case .clientID: text.isGUID
    case .bundleID: text.isPlainURI && !text.contains { "/:?#".contains($0) } && text.contains(".")
    case .redirectURI: text.isPlainURI && URLParts(text) != nil
    case .authority:
      URLParts(text).map { $0.scheme == "https" && PublicCloud.aliases.contains($0.host.lowercased()) }
        ?? false
    default: false
    }
  }
}

// MARK: - Choices

extension Caller {
  /// The callers to choose from.
  static let all: [Caller] =
    [.app, .androidApp]
    + Program.Kind.allCases.flatMap { kind in
      CallProgram.Grant.allCases.filter(kind.serves).map { .program(kind, $0) }
    }
}

extension Evidence {
  /// The word that stands for the value that the search finds.
  package static let searched = "any"

  /// Returns the values that may replace an assumed one.
  func choices(for assumption: Assumption, _ setting: LabSetting) -> [Assumption.Choice] {
    func plain(_ values: [String]) -> [Assumption.Choice] { values.map { .init(value: $0, detail: "") } }
    let free = Assumption.Choice(value: Self.searched, detail: "the nearest to the source")
    switch assumption.name {
    case .cause:
      return [free]
        + Cause.candidates(for: failure).map {
          .init(value: $0.name, detail: setting.filled($0.question, self))
        }
    case .call: return [free] + plain([CallKind.silent.rawValue, CallKind.interactive.rawValue])
    case .caller: return [free] + plain(Caller.all.map(\.displayText))
    case .system: return plain([Platform.iOS, .macOS].map(\.rawValue))
    case .authority:
      let realms = ["common", "organizations", "consumers"]
      let usual = realms.map { "https://\(PublicCloud.preferredNetwork)/\($0)" }
      return plain([assumption.value] + usual.filter { $0 != assumption.value })
    default: return []
    }
  }

  /// Whether no source shows what kind of software made the call.
  var showsNoCaller: Bool {
    chosen[.caller] != nil
      || !caller.isProgram && caller.platform == nil && shown(.sdk) == nil && failure.sdkCode == nil
        && failure.keychainStatus == nil
  }

  /// The clause about a caller that no source shows, the user did not name, and several causes of the failure have, or
  /// `nil` if the caller is known.
  var openCaller: String? {
    let callers = Cause.candidates(for: failure).map(\.callers)
    let isOnlyOne = !callers.contains(where: \.isEmpty) && Set(callers.joined()).count == 1
    guard chosen[.caller] == nil, !isOnlyOne else { return nil }
    if showsNoCaller { return "no source shows what made the call" }
    return caller.isProgram && caller.kind == nil && !caller.isKindShown
      ? "no source shows which kind of program made the call" : nil
  }

  /// Sets the system of the app whose call failed.
  package mutating func assume(appFor platform: Platform) {
    assume((platform == .android ? Caller.androidApp : .app).displayText, as: .caller)
    if platform != .android { assume(platform.rawValue, as: .system) }
  }

  /// Sets the kind of the program whose call failed, its grant, or both; one alone has its usual other.
  /// - Returns: `false` if no program of the kind uses the grant.
  package mutating func assume(program kind: Program.Kind?, grant: CallProgram.Grant?) -> Bool {
    guard let caller = Caller(kind, grant) else { return false }
    assume(caller.displayText, as: .caller)
    return true
  }

  /// Replaces an assumed value.
  mutating func assume(_ value: String, as name: EvidenceFact.Name) {
    chosen[name] = value
    switch name {
    case .call: isSilent = value == CallKind.silent.rawValue
    case .caller: if let chosenCaller { caller.take(chosenCaller) }
    default: break
    }
  }

  /// The caller that the user chose, or `nil` if the search chooses.
  var chosenCaller: Caller? {
    chosen[.caller].flatMap { text in Caller.all.first { $0.displayText == text } }
  }

  /// Returns whether the given cache contains what the cause says is missing.
  private func isContradicted(_ cause: Cause) -> Bool {
    switch cause.name {
    case "no-account", "no-account-passed": cachedAccounts ?? 0 > 0
    case "refresh-token-gone", "no-refresh-token": cachedRefreshTokens ?? 0 > 0
    default: false
    }
  }

  /// Returns whether a cause may be tried, given what the user chose and what a cache shows.
  func allows(_ cause: Cause) -> Bool {
    !isContradicted(cause) && (chosen[.cause] ?? cause.name) == cause.name
      && (chosen[.call] ?? CallKind(cause.call).rawValue) == CallKind(cause.call).rawValue
  }
}

/// The kind of an app's call.
enum CallKind: String {
  case silent, interactive

  init(_ call: Cause.Call) { self = call.isSilent ? .silent : .interactive }
  init(isSilent: Bool) { self = isSilent ? .silent : .interactive }
}
