import Synchronization

/// Text for the clipboard, and what it is in words.
struct Copy: Equatable, Sendable {
  var text: String
  var label: String
  var isSecret = false
}

extension Copy {
  init(_ item: CopyItem, of detail: TokenDetail) {
    let secret = detail.row.secret
    let text = item == .authHeader ? "Authorization: Bearer \(secret)" : secret
    self.init(text: text, label: item.words, isSecret: true)
  }
}

/// Hands text to a clipboard program, and knows what secret of ours may still be there.
package final class ClipboardController: Sendable {
  let way: ClipboardWay
  private let secret = Mutex<String?>(nil)

  package init(_ route: ClipboardRoute, variable: (String) -> String?) {
    way = route.way(variable: variable) { ChildProgram.path(of: $0) != nil }
  }

  /// The result; nil if the terminal has to be asked to copy.
  func copy(_ copy: Copy) -> Message? {
    switch way {
    case .terminal: return nil
    case .off(let reason):
      return .noted(Notice(text: "The \(copy.label) was not copied. \(reason)", kind: .bad))
    case .program(let program):
      guard ChildProgram.feed(copy.text, to: program.copy) else {
        let words = "The \(copy.label) was not copied: \(program.name) failed. See SSOTERM_CLIPBOARD."
        return .noted(Notice(text: words, kind: .bad))
      }
      secret.withLock { $0 = copy.isSecret ? copy.text : nil }
      ProcessEnd.isDelayed(copy.isSecret)
      let words = "Copied the \(copy.label) with \(program.name)"
      guard copy.isSecret else { return .noted(Notice(text: words + ".", kind: .plain)) }
      return .secretCopied(
        Notice(text: "! \(words): a secret, cleared in 45 s or when you leave.", kind: .bad))
    }
  }

  /// Takes the secret off the clipboard, unless something else has been copied since; nil if there was none.
  @discardableResult
  func clearSecret() -> Notice? {
    guard case .program(let program) = way,
      let text = secret.withLock({ kept in
        defer { kept = nil }
        return kept
      })
    else { return nil }
    ProcessEnd.isDelayed(false)
    guard ChildProgram.output(of: program.paste) == text else {
      return Notice(text: "The clipboard has other content now and was not changed.", kind: .plain)
    }
    // A second text takes the place of the first where that was handed on to, then leaves like the first.
    let isOverwritten =
      !program.handsOn
      || ChildProgram.feed(" ", to: program.copy) && ChildProgram.feed("", to: program.clear ?? program.copy)
    let isCleared = ChildProgram.feed("", to: program.clear ?? program.copy) && isOverwritten
    return isCleared
      ? Notice(text: "The secret was removed from the clipboard.", kind: .plain)
      : Notice(text: "! The secret is still on the clipboard: \(program.name) failed.", kind: .bad)
  }
}
