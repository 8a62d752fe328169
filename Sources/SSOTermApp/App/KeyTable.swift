import SSOLab
import TerminalUI

extension KeyCommand {
  static let table: [KeyCommand] =
    promptKeys + dialogKeys + menuKeys + typingKeys + providerKeys + screenKeys + listKeys + commonKeys
    + screenNumbers
    + paletteOnly

  /// What the screens are about.
  private static let screenKeys: [KeyCommand] = [
    KeyCommand(
      .open, [.enter], "Enter", "open", name: "open",
      "Opens the selected row: an app's or a person's tokens, a trace, a group's items, a field to change.",
      Context.screens),
    KeyCommand(
      .tellNext, [.character(">")], ">", "tell next", name: "story next",
      "Tells the next step of the demo's story; its answers are filled in, Enter sends them.",
      Context.screens),
    KeyCommand(
      .tellBack, [.character("<")], "<", "tell back", name: "story back",
      "Goes a step back in the demo's story. What you did besides is taken back too.", Context.screens),
    KeyCommand(
      .nextHop, [.character("]"), .character(" ")], "] [", "step", name: "trace next",
      "Goes one step forward in the trace; Space does the same.", [.trace]),
    KeyCommand(
      .previousHop, [.character("[")], "[", "", name: "trace back",
      "Goes one step back in the trace.", [.trace]),
    KeyCommand(
      .silent, [.character("s")], "s", "silent", name: "silent",
      "Acquires a token silently for the selected app, as acquireTokenSilent does.", [.apps]
    ).taking(.app),
    KeyCommand(
      .interactive, [.character("i")], "i", "interactive", name: "signin",
      "Signs in to the selected app interactively, with a prompt only if one is needed.", [.apps]
    ).taking(.app),
    KeyCommand(
      .expire, [.character("e")], "e", "expire", name: "expire",
      "Marks access tokens as expired. The next silent call needs the refresh token. Undo with z.",
      [.apps, .tokens, .keychain]
    ).taking(.credentials),
    KeyCommand(
      .invalidate, [.character("I")], "I", "invalidate", name: "invalidate",
      "Makes refresh tokens useless, as if the server had revoked them. Undo with z.",
      [.apps, .tokens, .keychain]
    ).taking(.credentials),
    KeyCommand(
      .delete, [.character("d")], "d", "delete", name: "delete",
      "Deletes the selected credential, after showing who loses what. Undo with z.",
      [.tokens, .keychain]
    ).taking(.credentials),
    KeyCommand(
      .sights, [.character("m")], "m", "who sees whom", name: "matrix",
      "Shows for every two apps what one sees of the other's sign-in, and why not.", [.apps]),
    KeyCommand(
      .why, [.character("w")], "w", "why", name: "why",
      "Says condition by condition why it is as it is: an app's next silent call, two marked apps, an account, "
        + "a token, an outcome.", Context.screens
    ).taking(.app),
    KeyCommand(
      .change, [.character("C")], "C", "change", name: "change",
      "Opens the record of what is selected, to change a field: an app's configuration, a person, a registration.",
      Context.screens.subtracting([.records])),
    KeyCommand(
      .explain, [.character("W")], "W", "", name: "explain",
      "Says what the code or the state of what is selected means, what raises it, and what to do.",
      Context.screens
    ).taking(.code),
    KeyCommand(
      .reveal, [.character("v")], "v", "reveal 10s", name: "reveal",
      "Shows the selected token's secret for ten seconds.", [.tokens]),
    KeyCommand(
      .chooseAccount, [.character("c")], "c", "choose account", name: "choose account",
      "Signs in with select_account: the picker is shown whoever is signed in.", [.apps]
    ).taking(.app),
    KeyCommand(
      .addAccount, [.character("a")], "a", "add account", name: "add account",
      "Signs somebody else in with prompt=login, whoever is signed in.", [.apps, .accounts]
    ).taking(.app),
    KeyCommand(
      .signOut, [.character("o")], "o", "sign out", name: "signout",
      "Removes the account from the selected app alone, after showing who loses what.", [.apps]
    ).taking(.app),
    KeyCommand(
      .expireAll, [.character("E")], "E", "expire all", name: "account expire",
      "Expires every access token of this account, in all apps. Undo with z.", [.accounts, .tokens]
    ).taking(.account),
    KeyCommand(
      .forget, [.character("f")], "f", "forget", name: "forget",
      "Removes the account from this device: every app of the group and the broker.", [.accounts]
    ).taking(.account),
    KeyCommand(
      .exportMenu, [.character("x")], "x", "export", name: "trace export",
      "Writes the trace into the present folder: text, Mermaid or JSON. Secrets stay masked.",
      [.trace, .traces]
    ).taking(.exportForm),
    KeyCommand(
      .note, [.character(";")], ";", "note", name: "note",
      "Writes a note on the selected step; it is kept in the store. An empty one is removed.", [.trace]
    ).taking(.text),
    KeyCommand(
      .markHop, [.character("m")], "m", "mark", name: "step mark",
      "Marks the selected step of the trace, or takes the mark away.", [.trace]),
    KeyCommand(
      .jumpToMark, [.character("'")], "'", "next mark", name: "step jump",
      "Goes to the next marked step of the trace.", [.trace]),
    KeyCommand(
      .follow, [.character("F")], "F", "follow", name: "follow",
      "Keeps the newest trace selected as other programs write.", [.traces]),
  ]

  /// What the Provider screen can.
  private static let providerKeys: [KeyCommand] = [
    KeyCommand(
      .server, [.character("s")], "s", "start/stop", name: "server",
      "Opens the provider's port on this machine for real programs, or closes it.", [.provider]),
    KeyCommand(
      .addFault, [.character("a")], "a", "fault", name: "fault add",
      "Lets the provider fail: what, where, for whom and how often.", [.provider]),
    KeyCommand(
      .clearFault, [.character("d")], "d", "clear", name: "fault clear", "Clears the selected fault.",
      [.provider]),
    KeyCommand(
      .clearFaults, [.character("D")], "D", "clear all", name: "faults clear", "Clears all faults.",
      [.provider]),
    KeyCommand(
      .approval, [.character("p")], "p", "who answers", name: "approval",
      "Chooses who answers a sign-in: you here, the browser, or nobody. A running server starts again.",
      [.provider]),
    KeyCommand(
      .port, [.character("o")], "o", "port", name: "port",
      "Chooses the port; 0 takes any that is free. A running server starts again.", [.provider]),
  ]

  /// What every list can.
  private static let listKeys: [KeyCommand] = [
    KeyCommand(
      .copyMenu, [.character("y")], "y", "copy", name: "copy",
      "Copies a value; a letter then says which.", Context.screens
    ).taking(.copyItem),
    KeyCommand(
      .filter, [.character("/")], "/", "filter", name: "filter",
      "Narrows the list: words are ANDed, a capital minds case, !not, ~fuzzy, client:4b0 by column.",
      Context.screens.union(Context.pickers)
    ).taking(.text),
    KeyCommand(
      .mark, [.character(" ")], "Space", "mark", name: "mark",
      "Marks the selected row; expire, invalidate and delete then act on all marked ones. Esc unmarks.",
      [.apps, .accounts, .tokens, .keychain]),
    KeyCommand(
      .range, [.character("v")], "v", "range", name: "range",
      "Marks all rows from here to where you go; v ends it.", [.apps, .accounts, .keychain]),
    KeyCommand(
      .nextMatch, [.character("n")], "n", "", name: "next match",
      "Goes to the next row that the last filter finds, also when all rows are shown.", Context.screens),
    KeyCommand(
      .previousMatch, [.character("N")], "N", "", name: "previous match",
      "Goes to the row before that the last filter finds.", Context.screens),
    KeyCommand(
      .sortMenu, [.character("O")], "O", "sort", name: "sort",
      "Sorts the list by a column; the same column again turns it round.", Context.tables
    ).taking(.column),
    KeyCommand(
      .columnMenu, [.character(",")], ",", "columns", name: "columns",
      "Hides a column, or shows it again.", Context.tables
    ).taking(.column),
  ]

  private static let commonKeys: [KeyCommand] = [
    KeyCommand(
      .palette, [.character(":"), .control("p")], ":", "cmd", name: "palette",
      "Runs a command by its name, with arguments.", Context.screens),
    KeyCommand(
      .help, [.character("?"), .function(1)], "?", "help", name: "help",
      "Lists the keys that work here.",
      Context.screens.union(Context.pickers).union([
        .consent, .errorPage, .why, .sights, .effects, .faultForm,
      ])),
    KeyCommand(
      .undo, [.character("z")], "z", "undo", name: "undo", "Takes the last change back.", Context.screens),
    KeyCommand(
      .redo, [.character("Z")], "Z", "redo", name: "redo", "Makes it again.", Context.screens),
    KeyCommand(
      .repeatFlow, [.character(".")], ".", "repeat", name: "repeat",
      "Makes the last silent call or sign-in again.", Context.screens),
    KeyCommand(
      .clockForward, [.character("t")], "t", "+1h", name: "clock +1h",
      "Moves the lab's clock one hour on.", Context.screens),
    KeyCommand(
      .clockReal, [.character("T")], "T", "real time", name: "clock reset",
      "Sets the lab's clock back to real time.", Context.screens),
    KeyCommand(
      .timeStyle, [.character("u")], "u", "time", name: "time",
      "Shows moments as time left, local time or UTC.", Context.screens
    ).taking(.timeStyle),
    KeyCommand(
      .nextPanel, [.tab, .character("l"), .right, .character("]")], "Tab", "panel", name: "next panel",
      "Gives the keys to the next panel.", Context.screens.subtracting([.trace])),
    KeyCommand(
      .previousPanel, [.backTab, .character("h"), .left, .character("[")], "S-Tab", "",
      name: "previous panel",
      "Gives the keys to the panel before.", Context.screens.subtracting([.trace])),
    KeyCommand(
      .nextPanel, [.tab, .character("l"), .right], "Tab", "panel", name: "next panel",
      "Gives the keys to the next panel.", [.trace]),
    KeyCommand(
      .previousPanel, [.backTab, .character("h"), .left], "S-Tab", "", name: "previous panel",
      "Gives the keys to the panel before.", [.trace]),
    KeyCommand(
      .zoom, [.character("+")], "+", "zoom", name: "zoom",
      "Gives the whole window to the panel that has the keys.", Context.screens),
    KeyCommand(
      .unzoom, [.character("_")], "_", "all panels", name: "all panels", "Shows all panels again.",
      Context.screens),
    KeyCommand(
      .faults, [.character("!")], "!", "", name: "faults",
      "Shows the Provider screen with the faults that are set.", Context.screens),
    KeyCommand(
      .previousScreen, [.character("-")], "-", "", name: "previous screen",
      "Goes to the screen you came from.", Context.screens),
    KeyCommand(
      .presenter, [.character("P")], "P", "", name: "presenter",
      "Shows or hides a bar for an audience: the state in one line, and the last key with what it did.",
      Context.screens),
    KeyCommand(
      .mouse, [.character("M")], "M", "", name: "mouse",
      "Takes the mouse, or leaves it to the terminal for selecting text.", Context.screens),
    KeyCommand(
      .back, [.escape], "Esc", "back", name: "back",
      "Clears the filter, then marks, then goes back. Never quits.", Context.screens),
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
  ]

  private static let screenNumbers = Place.tabs.map { place in
    KeyCommand(
      .screen(place.tab), [.character(Character("\(place.tab + 1)"))], "\(place.tab + 1)", "",
      name: place.name.lowercased(), "Shows \(place.name).", Context.screens)
  }

  private static let paletteOnly =
    [
      KeyCommand(.moveClock, name: "clock", .offset, "Moves the lab's clock, or sets it back to real time."),
      KeyCommand(
        .currentAccount, name: "current", .app,
        "Asks as an app for one account asks: who is signed in, and who was before."),
      KeyCommand(
        .signOutOfBrowser, name: "browser signout", .app,
        "Signs out of the app, and ends the provider's session in the browser too (signoutFromBrowser)."),
      KeyCommand(
        .wipeAccount, name: "wipe account", .app,
        "Signs out for all clients of the group, account items too (wipeAccount)."),
      KeyCommand(
        .wipeCache, name: "wipe cache", .app,
        "Signs out and removes every item of the group (wipeCacheForAllAccounts)."),
      KeyCommand(.go, name: "go", .place, "Opens a screen by its path, as ssoterm tui does."),
    ]
    + RecordKind.allCases.map { kind in
      KeyCommand(
        .setRecord(kind), name: "\(kind.rawValue) set", .setting,
        "Changes a field (FIELD=VALUE, += and -= for lists), and says what that does to the apps.")
    }
}
