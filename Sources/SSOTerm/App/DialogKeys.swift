import TerminalUI

extension KeyCommand {
  static let typingKeys: [KeyCommand] = [
    KeyCommand(
      .acceptFilter, [.enter], "Enter", "keep filter", name: "keep filter",
      "Keeps the filter and gives the keys back to the list.", [.filter]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "clear", name: "clear filter", "Shows all rows again.", [.filter]),
  ]

  static let promptKeys: [KeyCommand] =
    [
      KeyCommand(
        .submit, [.enter], "Enter", "choose", name: "choose", "Answers with the selected account.",
        [.picker]),
      KeyCommand(
        .otherAccount, [.character("+")], "+", "another account", name: "use another account",
        "Signs in with an account that is not listed.", [.picker]),
      KeyCommand(
        .submit, [.enter], "Enter", "continue", name: "continue", "Sends what was typed.", [.signIn]),
      KeyCommand(
        .testPerson, [.control("t")], "C-t", "test person", name: "test person",
        "Fills in the next person who is known here.", [.signIn]),
      KeyCommand(
        .otherButton, [.tab, .backTab, .left, .right], "Tab", "Accept/Cancel", name: "other button",
        "Goes to the other button.", [.consent]),
      KeyCommand(
        .submit, [.enter], "Enter", "press", name: "press", "Presses the marked button.", [.consent]),
      KeyCommand(
        .cancel, [.enter], "Enter", "back to the app", name: "close page", "Closes the error page.",
        [.errorPage]),
      KeyCommand(
        .cancel, [.escape], "Esc", "cancel to app", name: "cancel",
        "Cancels: the app gets its SDK's cancelled error.", Context.prompts),
    ]
    + (1...9).map { number in
      KeyCommand(
        .pick(number), [.character(Character("\(number)"))], "\(number)", "", name: "pick \(number)",
        "Marks account \(number); nothing is sent before Enter.", [.picker])
    }

  static let dialogKeys: [KeyCommand] =
    [
      KeyCommand(
        .otherButton, [.tab, .backTab, .left, .right, .character("h"), .character("l")], "Tab",
        "other button",
        name: "other button", "Goes to the other button.", [.confirm]),
      KeyCommand(
        .submit, [.enter], "Enter", "press", name: "press button", "Presses the marked button.", [.confirm]),
      KeyCommand(
        .closeDialog, [.escape, .character("q")], "Esc", "cancel", name: "close", "Changes nothing.",
        [.confirm, .copyMenu]),
      KeyCommand(
        .runSelected, [.enter], "Enter", "run", name: "run", "Runs the selected command.",
        [.help, .palette]),
      KeyCommand(
        .closeDialog, [.escape], "Esc", "close", name: "close list", "Goes back to the screen.",
        [.help, .palette]),
    ]
    + CopyItem.allCases.map { item in
      KeyCommand(
        .copy(item), [.character(item.rawValue)], String(item.rawValue), item.words,
        name: "copy \(item.words)", "Copies the \(item.words).", [.copyMenu])
    }
}
