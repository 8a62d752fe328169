import SSOCore
import SSOReference
import SafeText

/// The command line's and the screens' words for an action.
///
/// A command of `ssoterm` and the command of the screens with the same effect have one name, such as `signin`.
struct Registered {
  /// The words after `ssoterm`; `*` stands for the first argument, which is a kind of record.
  let command: String
  /// The words on the screens, with the names of key commands in braces, or `nil` if only the command line has the
  /// action.
  ///
  /// Arguments are omitted, because the selection takes their place; after a line for the palette they remain.
  let screen: String?
  /// The sentence on the screens for advice that consists of only this action, or `nil` if its words are sufficient.
  private(set) var sentence: String?

  private init(_ command: String, _ screen: String?) {
    self.command = command
    self.screen = screen
  }

  static func command(_ words: String) -> Registered { Registered(words, nil) }
  static func key(_ name: String) -> Registered { Registered(name, "{\(name)}") }
  /// Registers a key that acts on the selected app.
  static func onApp(_ name: String, to effect: String) -> Registered {
    var registered = Registered(name, "{\(name)} on the app")
    registered.sentence = "Press {\(name)} to \(effect)."
    return registered
  }
  static func palette(_ name: String) -> Registered { Registered(name, ":" + name) }
  /// Registers a command whose effect a screen shows or has; `key` opens it.
  static func screen(_ words: String, _ title: String, key: String? = nil) -> Registered {
    Registered(words, "{\(key ?? words)} \(title)")
  }
}

extension Advice.Verb {
  var registered: Registered {
    switch self {
    case .apps: .screen("apps", "Apps")
    case .accounts: .screen("accounts", "Accounts")
    case .tokens: .screen("tokens", "Tokens")
    case .keychain: .screen("keychain", "Keychain")
    case .status: .screen("status", "Lab", key: "lab")
    case .traces: .screen("trace list", "Trace", key: "trace")
    case .trace: .screen("trace show", "Trace", key: "trace")
    case .journal: .screen("journal", "Trace", key: "trace")
    case .faults: .screen("fault list", "Provider", key: "faults")
    case .scenarios: .screen("scenario list", "Scenarios", key: "scenarios")
    case .labs: .command("lab list")
    case .environment: .command("serve env")
    case .list: .screen("* list", "Lab", key: "lab")
    case .show: .screen("* show", "Lab", key: "lab")
    case .set: .palette("* set")
    case .add: .screen("* add", "Lab", key: "lab")
    case .remove: .screen("* remove", "Lab", key: "lab")
    case .why: .onApp("why", to: "see why")
    case .explain: .palette("explain")
    case .doctor: .command("doctor")
    case .checklistFormat: .command("checklist --help")
    case .signIn: .onApp("signin", to: "sign in")
    case .silent: .onApp("silent", to: "call silently")
    case .signOut: .onApp("signout", to: "sign out")
    case .currentAccount: .palette("current")
    case .enroll: .command("enroll")
    case .installBroker: .screen("broker install", "Lab, on the device", key: "lab")
    case .resetClock: .key("clock reset")
    case .undo: .key("undo")
    case .undoForAnyone: .command("undo --anyone")
    case .redo: .key("redo")
    case .redoForAnyone: .command("redo --anyone")
    case .addFault: .screen("fault add", "Provider", key: "faults")
    case .addFederation: .command("federation add")
    case .start: .command("")
    case .openReadOnly: .command("status --readonly")
    case .serve: .command("serve")
    case .serveBroker: .command("broker serve")
    case .exportKey: .command("key export")
    case .importKey: .command("key import")
    case .useDevice: .screen("device use", "Lab, on the device", key: "lab")
    }
  }
}

extension Advice.Detail {
  /// The option of the command line.
  fileprivate var option: String {
    switch self {
    case .wipeAccount: "--wipe-account"
    case .wipeCache: "--wipe-cache"
    case .output: "-o"
    default: "--" + rawValue
    }
  }
}

// MARK: - The command line

extension Advice.Action {
  /// The words to type after `ssoterm`.
  package var commandWords: [String] {
    let options = Advice.Detail.allCases.flatMap { detail in
      details[detail].map { $0.isEmpty ? [detail.option] : [detail.option, $0] } ?? []
    }
    let (words, rest) = filled(verb.registered.command)
    return words.split(separator: " ").map(String.init) + rest + options
  }

  fileprivate var commandLine: String {
    // An equals sign needs no quotes.
    (["ssoterm"] + commandWords).map { word in
      word.split(separator: "=", omittingEmptySubsequences: false).map { shellWord(String($0)) }
        .joined(separator: "=")
    }.joined(separator: " ")
  }

  /// Returns the registered words with the kind of record in place of `*`, and the arguments after it.
  fileprivate func filled(_ words: String) -> (words: String, rest: [String]) {
    guard words.contains("*"), let kind = arguments.first else { return (words, arguments) }
    return (words.replacing("*", with: kind), Array(arguments.dropFirst()))
  }
}

extension Advice {
  /// The advice for the command line, as text and in JSON.
  package var commandLine: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .action(let action): action.commandLine
      }
    }.joined()
  }
}

extension Outcome {
  /// The effects of a change for the command line.
  package var effectLines: [String] { effects?.map(\.commandLine) ?? [] }
}

// MARK: - The screens

extension KeyTable {
  /// Returns advice with the keys and places of the screens.
  func displayText(_ advice: Advice) -> String {
    if case .action(let action)? = advice.parts.first, advice.parts.count == 1,
      let sentence = action.verb.registered.sentence
    {
      return fill(sentence)
    }
    // Actions that differ only in what the selection replaces are shown once.
    var words: [String] = []
    var actions: Set<String> = []
    for part in advice.parts {
      switch part {
      case .text(let text): words.append(text)
      case .action(let action):
        let text = displayText(action)
        if actions.insert(text).inserted {
          words.append(text)
        } else if words.last == " or " {
          words.removeLast()
        }
      }
    }
    return words.joined()
  }

  private func displayText(_ action: Advice.Action) -> String {
    guard let screen = action.verb.registered.screen else { return action.commandLine }
    guard screen.hasPrefix(":") else { return fill(screen) }
    let (words, rest) = action.filled(screen)
    return ([words] + rest).joined(separator: " ")
  }
}
