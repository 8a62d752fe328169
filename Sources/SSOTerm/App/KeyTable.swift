import TerminalUI

extension KeyCommand {
  static let table: [KeyCommand] = promptKeys + dialogKeys + typingKeys + screenKeys + commonKeys

  private static let screenKeys: [KeyCommand] = [
    KeyCommand(
      .open, [.enter], "Enter", "open", name: "open",
      "Opens the selected row: an app's or a person's tokens, a trace, a group's items.", Context.screens),
    KeyCommand(
      .nextHop, [.character("]"), .character(" ")], "] [", "step", name: "trace next",
      "Goes one step forward in the trace; Space does the same.", [.trace]),
    KeyCommand(
      .previousHop, [.character("[")], "[", "", name: "trace back",
      "Goes one step back in the trace.", [.trace]),
    KeyCommand(
      .silent, [.character("s")], "s", "silent", name: "silent",
      "Acquires a token silently for the selected app, as acquireTokenSilent does.", [.apps]),
    KeyCommand(
      .interactive, [.character("i")], "i", "interactive", name: "interactive",
      "Signs in to the selected app, with a prompt only if one is needed.", [.apps]),
    KeyCommand(
      .chooseAccount, [.character("c")], "c", "choose account", name: "choose account",
      "Signs in with select_account: the picker is shown whoever is signed in.", [.apps]),
    KeyCommand(
      .expire, [.character("e")], "e", "expire", name: "expire",
      "Marks access tokens as expired. The next silent call needs the refresh token. Undo with z.",
      [.apps, .tokens, .keychain]),
    KeyCommand(
      .invalidate, [.character("I")], "I", "invalidate", name: "invalidate",
      "Makes refresh tokens useless, as if the server had revoked them. Undo with z.",
      [.apps, .tokens, .keychain]),
    KeyCommand(
      .delete, [.character("d")], "d", "delete", name: "delete",
      "Deletes the selected credential, after showing who loses what. Undo with z.",
      [.tokens, .keychain]),
    KeyCommand(
      .expireAll, [.character("E")], "E", "expire all", name: "account expire",
      "Expires every access token of this account, in all apps. Undo with z.", [.accounts, .tokens]),
    KeyCommand(
      .forget, [.character("f")], "f", "forget", name: "forget",
      "Removes the account from this device: every app of the group and the broker.", [.accounts]),
    KeyCommand(
      .signOut, [.character("o")], "o", "sign out", name: "sign out",
      "Removes the account from the selected app alone, after showing who loses what.", [.apps]),
    KeyCommand(
      .reveal, [.character("v")], "v", "reveal 10s", name: "reveal",
      "Shows the selected token's secret for ten seconds.", [.tokens]),
    KeyCommand(
      .exportTrace, [.character("x")], "x", "export", name: "trace export",
      "Writes the trace as text into the present folder. Secrets stay masked.", [.trace]),
    KeyCommand(
      .follow, [.character("F")], "F", "follow", name: "follow",
      "Keeps the newest trace selected as other programs write.", [.traces]),
    KeyCommand(
      .copyMenu, [.character("y")], "y", "copy", name: "copy",
      "Copies a value; a letter then says which.", Context.screens),
    KeyCommand(
      .filter, [.character("/")], "/", "filter", name: "filter",
      "Narrows the list as you type: words are ANDed, a capital minds case, !not, ~fuzzy.",
      Context.screens.union([.picker])),
  ]

  private static let commonKeys: [KeyCommand] =
    [
      KeyCommand(
        .palette, [.character(":"), .control("p")], ":", "cmd", name: "palette",
        "Lists all commands by name.", Context.screens),
      KeyCommand(
        .help, [.character("?"), .function(1)], "?", "help", name: "help",
        "Lists the keys that work here.", Context.screens.union([.picker, .consent, .errorPage])),
      KeyCommand(
        .undo, [.character("z")], "z", "undo", name: "undo", "Takes the last change back.", Context.screens),
      KeyCommand(
        .redo, [.character("Z")], "Z", "redo", name: "redo", "Makes it again.", Context.screens),
      KeyCommand(
        .clockForward, [.character("t")], "t", "+1h", name: "clock +1h",
        "Moves the lab's clock one hour on.", Context.screens),
      KeyCommand(
        .clockReal, [.character("T")], "T", "real time", name: "clock reset",
        "Sets the lab's clock back to real time.", Context.screens),
      KeyCommand(
        .timeStyle, [.character("u")], "u", "time", name: "time",
        "Shows moments as time left, local time or UTC.", Context.screens),
      KeyCommand(
        .nextPanel, [.tab, .character("l"), .right], "Tab", "panel", name: "next panel",
        "Gives the keys to the next panel.", Context.screens),
      KeyCommand(
        .previousPanel, [.backTab, .character("h"), .left], "S-Tab", "", name: "previous panel",
        "Gives the keys to the panel before.", Context.screens),
      KeyCommand(
        .previousScreen, [.character("-")], "-", "", name: "previous screen",
        "Goes to the screen you came from.", Context.screens),
      KeyCommand(
        .back, [.escape], "Esc", "back", name: "back", "Clears the filter, then goes back. Never quits.",
        Context.screens),
      KeyCommand(
        .quit, [.character("q")], "q", "quit", name: "quit", "Goes back; on a main screen leaves.",
        Context.screens),
      KeyCommand(
        .leave, [.control("c")], "C-c", "", name: "leave", "Leaves at once.", Set(Context.allCases)),
      KeyCommand(
        .leave, [.character("Q")], "Q", "", name: "leave now", "Leaves at once.", Context.screens),
      KeyCommand(
        .reload, [.character("R"), .function(5)], "R", "", name: "reload", "Reads the store again.",
        Context.screens),
      KeyCommand(
        .redraw, [.control("l")], "C-l", "", name: "redraw", "Draws the whole screen again.",
        Set(Context.allCases)),
      KeyCommand(
        .suspend, [.control("z")], "C-z", "", name: "suspend", "Stops the program; fg brings it back.",
        Set(Context.allCases)),
    ] + screenNumbers

  private static let screenNumbers = Place.tabs.map { place in
    KeyCommand(
      .screen(place.tab), [.character(Character("\(place.tab + 1)"))], "\(place.tab + 1)", "",
      name: place.name.lowercased(), "Shows \(place.name).", Context.screens)
  }
}
