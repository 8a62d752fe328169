import SSOLab

extension AppModel {
  /// What one would type in a shell for the same; nil if `ssoterm` has no command for it.
  func commandLine(_ command: KeyCommand, _ argument: String) -> String? {
    commandWords(command.action, argument).map(line)
  }

  /// What gives a shell all that a program needs to sign in here; nil for a demo, which no other process can read.
  var environmentLine: String? {
    if let status, status.storePath == nil { return nil }
    return "eval \"$(\(line(["serve", "env"])))\""
  }

  private func line(_ words: [String]) -> String {
    let store = storeOption.map { ["--store", $0] } ?? []
    return (["ssoterm"] + words + store).map(shellWord).joined(separator: " ")
  }

  private func commandWords(_ action: Action, _ argument: String) -> [String]? {
    switch action {
    case .silent: return appWords("silent", argument)
    case .interactive: return appWords("signin", argument)
    case .chooseAccount: return appWords("signin", argument).map { $0 + ["--prompt", "select_account"] }
    case .addAccount: return appWords("signin", argument).map { $0 + ["--prompt", "login"] }
    case .signOut: return appWords("signout", argument)
    case .signOutOfBrowser: return appWords("signout", argument).map { $0 + ["--browser"] }
    case .wipeAccount: return appWords("signout", argument).map { $0 + ["--wipe-account"] }
    case .wipeCache: return appWords("signout", argument).map { $0 + ["--wipe-cache"] }
    case .currentAccount: return appWords("current", argument)
    case .forget: return (argument.isEmpty ? selectedAccount?.username : argument).map { ["forget", $0] }
    case .expire: return credentialWords("expire", argument, targets(of: .expire))
    case .invalidate: return credentialWords("invalidate", argument, targets(of: .invalidate))
    case .delete: return credentialWords("delete", argument, deletable)
    case .undo: return ["undo"]
    case .redo: return ["redo"]
    case .clockForward: return ["clock", "+1h"]
    case .clockReal: return ["clock", "reset"]
    case .moveClock: return argument.isEmpty ? nil : ["clock", argument]
    case .screen(let number): return ["tui", Place.tabs[number].name.lowercased()]
    case .go: return argument.isEmpty ? nil : ["tui", argument]
    case .filter: return argument.isEmpty ? nil : ["tui", place.name.lowercased() + "/" + argument]
    case .exportMenu:
      return traceInSight.map { ["trace", "export", "\($0)", "--as", argument.isEmpty ? "text" : argument] }
    case .server: return serving.wish.commandWords
    case .clearFaults: return ["fault", "clear"]
    case .setRecord(let kind):
      return Setting(argument).map {
        [kind.rawValue, "set", $0.record, $0.change.field + $0.change.operation.rawValue + $0.change.value]
      }
    case .why: return whyWords(argument)
    case .explain: return ["explain"] + (argument.isEmpty ? [textToExplain] : [argument])
    case .note:
      guard let id = traceInSight, let step = hops.selectedRow, !argument.isEmpty else { return nil }
      return ["trace", "note", "\(id)", "\(step + 1)", argument]
    default: return nil
    }
  }

  private func appWords(_ verb: String, _ argument: String) -> [String]? {
    (argument.isEmpty ? selectedApp : app(named: argument)).map { [verb, $0.bundleID] }
  }

  private func whyWords(_ argument: String) -> [String]? {
    if !argument.isEmpty { return appWords("why", argument) }
    return switch whySubject {
    case .app(let app): ["why", app]
    case .apps(let app, let other): ["why", app, other]
    case .account(let account): ["why", "--account", account]
    case .token(let id): ["why", "--token", id]
    case .trace(let id): ["why", "--trace", "\(id)"]
    case nil: nil
    }
  }

  private func credentialWords(_ verb: String, _ argument: String, _ targets: [String]) -> [String]? {
    let ids: [String]
    switch argument {
    case "", "selected", "marked": ids = place == .apps || markedRows != nil ? [] : targets
    case "all": ids = shownRows == nil ? shownCredentials : []
    default: ids = argument.split(separator: " ").map(String.init)
    }
    return ids.isEmpty ? nil : [verb] + ids
  }

  /// The trace that is open, or selected in the list.
  var traceInSight: Int64? {
    if case .trace(let id) = place { return id }
    return place == .traces ? selectedTrace?.id : nil
  }
}

extension ServeWish {
  fileprivate var commandWords: [String] { ["serve", "--port", "\(port)", "--approve", approval.word] }
}

/// `text` as one word of a shell, quoted only where it has to be.
package func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x40...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
    }
  guard !isPlain else { return text }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
