import Synchronization

/// A text for the clipboard, with a label that describes it.
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

/// A controller that passes text to a clipboard program, and remembers a copied secret that may still be there.
package final class ClipboardController: Sendable {
  let way: ClipboardMethod
  private let secret = Mutex<String?>(nil)

  package init(_ route: ClipboardRoute, variable: (String) -> String?) {
    way = route.way(variable: variable) { ChildProgram.path(of: $0) != nil }
  }

  /// Copies a text and returns the result, or `nil` if the terminal must copy it.
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

  /// Removes the secret from the clipboard unless something else has been copied since, and returns `nil` if there was
  /// no secret.
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
    // Where the secret was forwarded to another clipboard, a second text replaces it, and is then cleared like the
    // first.
    let isOverwritten =
      !program.handsOn
      || ChildProgram.feed(" ", to: program.copy) && ChildProgram.feed("", to: program.clear ?? program.copy)
    let isCleared = ChildProgram.feed("", to: program.clear ?? program.copy) && isOverwritten
    return isCleared
      ? Notice(text: "The secret was removed from the clipboard.", kind: .plain)
      : Notice(text: "! The secret is still on the clipboard: \(program.name) failed.", kind: .bad)
  }
}
