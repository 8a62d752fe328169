import TerminalUI

extension KeyCommand {
  static let typingKeys: [KeyCommand] = [
    KeyCommand(
      .acceptFilter, [.enter], "Enter", "keep filter", name: "keep filter",
      "Keeps the filter and gives the keys back to the list.", [.filter]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "clear", name: "clear filter", "Shows all rows again.", [.filter]),
    KeyCommand(
      .submit, [.enter], "Enter", "change", name: "change field",
      "Changes the field, and says what that does to the apps.", [.fieldEdit]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "leave it", name: "leave field", "Leaves the field as it was.",
      [.fieldEdit]),
    KeyCommand(
      .submit, [.enter], "Enter", "keep note", name: "keep note", "Keeps the note on the step.", [.note]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "leave it", name: "leave note", "Leaves the note as it was.", [.note]),
  ]

  static let promptKeys: [KeyCommand] =
    [
      KeyCommand(
        .submit, [.enter], "Enter", "choose", name: "choose", "Answers with the selected account.",
        Context.pickers),
      KeyCommand(
        .otherAccount, [.character("+")], "+", "add", name: "use another account",
        "Signs in with an account that is not listed.", [.picker]),
      KeyCommand(
        .forgetCandidate, [.character("f")], "f", "forget", name: "forget account",
        "Removes the selected account from this device, after showing who loses what.", [.picker]),
      KeyCommand(
        .details, [.character("i")], "i", "details", name: "details",
        "Shows all that is known of the selected account, and why it is in its state.",
        Context.pickers),
      KeyCommand(
        .submit, [.enter], "Enter", "continue", name: "continue", "Sends what was typed.", [.signIn]),
      KeyCommand(
        .testPerson, [.control("t")], "C-t", "test person", name: "test person",
        "Fills in the next person who is known here.", [.signIn]),
      KeyCommand(
        .revealPassword, [.control("r")], "C-r", "reveal 10s", name: "reveal password",
        "Shows what was typed for ten seconds.", [.signIn]),
      KeyCommand(
        .otherButton, [.tab, .backTab, .left, .right], "Tab", "switch", name: "other button",
        "Goes to the other button.", [.consent]),
      KeyCommand(
        .submit, [.enter], "Enter", "press", name: "press", "Presses the marked button.", [.consent]),
      KeyCommand(
        .cancel, [.enter], "Enter", "back to the app", name: "close page", "Closes the error page.",
        [.errorPage]),
      KeyCommand(
        .cancel, [.escape], "Esc", "cancel to app", name: "cancel",
        "Cancels: the app gets its SDK's cancelled error.", Context.prompts),
      KeyCommand(
        .cancel, [.escape], "Esc", "cancel", name: "cancel",
        "Ends without an account: nothing is printed, the exit code is 130.", [.pick]),
    ]
    + (1...9).map { number in
      KeyCommand(
        .pick(number), [.character(Character("\(number)"))], "\(number)", number == 1 ? "to 9 mark" : "",
        name: "pick \(number)", "Marks account \(number); nothing is sent before Enter.", Context.pickers)
    }

  static let dialogKeys: [KeyCommand] = [
    KeyCommand(
      .otherButton, [.tab, .backTab, .left, .right, .character("h"), .character("l")], "Tab",
      "switch",
      name: "other button", "Goes to the other button.", [.confirm]),
    KeyCommand(
      .submit, [.enter], "Enter", "press", name: "press button", "Presses the marked button.", [.confirm]),
    KeyCommand(
      .closeDialog, [.escape, .character("q")], "Esc", "cancel", name: "close", "Changes nothing.",
      Context.menus.union([.confirm])),
    KeyCommand(
      .complete, [.tab], "Tab", "complete", name: "complete", "Completes the name or the argument.",
      [.palette]),
    KeyCommand(
      .runSelected, [.enter], "Enter", "run", name: "run", "Runs the selected command.",
      [.help, .palette]),
    KeyCommand(
      .copyCommand, [.control("x")], "C-x", "copy as CLI", name: "copy as command",
      "Copies what the command line of ssoterm would be.", [.palette]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "close", name: "close list", "Goes back to the screen.",
      [.help, .palette]),
    KeyCommand(
      .why, [.enter, .character("w")], "Enter", "why", name: "why these",
      "Says condition by condition why the two apps share a sign-in, or do not.", [.sights]),
    KeyCommand(
      .explainCheck, [.enter], "Enter", "the rule", name: "the rule",
      "Says where the selected condition comes from, and what the codes in it mean.", [.why]),
    KeyCommand(
      .secondApp, [.character("w")], "w", "with another app", name: "with another app",
      "Says why this app and another one share a sign-in, or do not.", [.why]),
    KeyCommand(
      .submit, [.enter], "Enter", "change", name: "change part",
      "Lists what may stand there; on the last row it sets the fault.", [.faultForm]),
    KeyCommand(
      .setFault, [.character("a")], "a", "set it", name: "set fault", "Sets the fault as it stands.",
      [.faultForm]),
    KeyCommand(
      .closeDialog, [.escape, .character("q")], "Esc", "leave it", name: "leave fault", "Sets no fault.",
      [.faultForm]),
    KeyCommand(
      .undoEffects, [.character("z")], "z", "undo", name: "undo this", "Takes the change back.", [.effects]),
    KeyCommand(
      .closeDialog, [.enter, .escape, .character("q")], "Enter", "keep it", name: "keep this",
      "Leaves the change as it is; z on the screen still takes it back.", [.effects]),
    KeyCommand(
      .choose, [.enter], "Enter", "choose", name: "choose this", "Takes the selected one.", [.choice]),
    KeyCommand(
      .closeDialog, [.escape], "Esc", "back", name: "choose nothing", "Leaves it as it was.", [.choice]),
    KeyCommand(
      .closeDialog, [.escape, .character("q")], "Esc", "back", name: "back from here",
      "Goes back to where this was asked.", [.why]),
    KeyCommand(
      .closeDialog, [.escape, .enter, .character("q")], "Esc", "back", name: "read enough",
      "Goes back to where this was asked.", [.explained]),
    KeyCommand(
      .closeDialog, [.escape, .character("q"), .character("m")], "Esc", "close", name: "close matrix",
      "Goes back to the screen.", [.sights]),
  ]

  static let menuKeys: [KeyCommand] =
    CopyItem.allCases.map { item in
      KeyCommand(
        .copy(item), [.character(item.rawValue)], String(item.rawValue), item.words,
        name: "copy \(item.words)", "Copies the \(item.words).", [.copyMenu])
    }
    + ExportForm.allCases.map { form in
      KeyCommand(
        .export(form), [.character(form.rawValue)], String(form.rawValue), form.word,
        name: "export \(form.word)", "Writes the trace as \(form.word).", [.exportMenu])
    }
    + (0...9).map { number in
      KeyCommand(
        .column(number), [.character(Character("\(number)"))], "\(number)", "", name: "column \(number)",
        number == 0 ? "As it was at the start." : "Column \(number).", [.sortMenu, .columnMenu])
    }
}
