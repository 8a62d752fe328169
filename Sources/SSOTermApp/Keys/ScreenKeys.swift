import TerminalUI

/// The keys that screens share.
extension [KeyCommand] {
  /// Returns the key table of a screen, in the order of the key bar.
  ///
  /// `first` comes before everything else, followed by `own`, the screen's own commands. `more` contains the commands
  /// that the key bar shows after “why” and “change”. `copy` is the command that copies here, `marks` contains the
  /// commands that mark rows, and `panels` contains the commands that go to another panel. `reload` reads the store
  /// again.
  static func ofScreen(
    first: [KeyCommand] = [], own: [KeyCommand] = [], more: [KeyCommand] = [], copy: KeyCommand = .copyMenu,
    marks: [KeyCommand] = [], isTable: Bool = false, canChange: Bool = true, panels: [KeyCommand] = panels,
    reload: KeyCommand = .reload
  ) -> [KeyCommand] {
    first + [.open, .demoNext, .demoBack] + own + [.why] + (canChange ? [.change] : []) + [.explain] + more
      + [copy, IssueAction.key, .filter] + marks + [.nextMatch, .previousMatch]
      + (isTable ? [.sortMenu, .columnMenu] : [])
      + before + panels + after + [reload, .redraw, .suspend] + Screens.numbers
  }

  static let panels: [KeyCommand] = [
    KeyCommand(
      NavigationAction.nextPanel, [.tab, .character("l"), .right, .character("]")], "Tab", "panel",
      name: "next panel", "Moves the focus to the next panel."),
    KeyCommand(
      NavigationAction.previousPanel, [.backTab, .character("h"), .left, .character("[")], "S-Tab", "",
      name: "previous panel", "Moves the focus to the previous panel."),
  ]

  private static let before: [KeyCommand] =
    [
      KeyCommand(
        PaletteAction.open, [.character(":"), .control("p")], ":", "cmd", name: "palette",
        "Runs a command by its name, with arguments."),
      .help, JumpAction.key,
    ] + ClockAction.keys + [
      KeyCommand(
        NavigationAction.timeStyle, [.character("u")], "u", "time", name: "time",
        "Shows times as time left, local time or UTC.", taking: .timeStyle)
    ]

  private static let after: [KeyCommand] = [
    KeyCommand(
      NavigationAction.zoom, [.character("+")], "+", "zoom", name: "zoom",
      "Shows only the panel that has the focus; the same key or another screen ends it."),
    .unzoom,
    KeyCommand(
      ProviderAction.faults, [.character("!")], "!", "", name: "faults",
      "Shows the Provider screen: the waiting sign-ins or, if no sign-in is waiting, the faults."),
    KeyCommand(
      NavigationAction.previousScreen, [.character("-")], "-", "", name: "previous screen",
      "Goes to the screen you came from."),
    NavigationAction.presenterKey,
    KeyCommand(
      NavigationAction.mouse, [.character("M")], "M", "", name: "mouse",
      "Turns the mouse off or on; when it is on, Shift-drag selects text. The choice is remembered."),
    KeyCommand(
      NavigationAction.theme, [.function(9)], "F9", "", name: "theme",
      "Opens a list of colours, each of which is shown while it is selected. The choice is remembered."),
    KeyCommand(
      NavigationAction.back, [.escape], "Esc", "back", name: "back",
      "Clears the filter, then marks, ends the zoom, then goes back. Never quits."),
    KeyCommand(
      NavigationAction.quit, [.character("q")], "q", "quit", name: "quit",
      "Goes back; on a main screen quits."),
    .leave,
    KeyCommand(NavigationAction.leave, [.character("Q")], "Q", "", name: "quit now", "Quits at once."),
  ]
}

extension KeyCommand {
  static let reload = KeyCommand(
    NavigationAction.reload, [.character("R"), .function(5)], "R", "", name: "reload",
    "Reads the store again.")
  /// The same where `R` reproduces a failure.
  static let reloadByF5 = KeyCommand(
    NavigationAction.reload, [.function(5)], "F5", "", name: "reload", "Reads the store again.")
  static let open = KeyCommand(
    NavigationAction.open, [.enter], "Enter", "open", name: "open",
    "Opens the selected row: an app's or a user's tokens, a trace, a group's items, a record's fields.")
  static let help = KeyCommand(
    HelpAction.open, [.character("?"), .function(1)], "?", "help", name: "help",
    "Lists the keys that work here.")
  static let leave = KeyCommand(
    NavigationAction.interrupt, [.control("c")], "C-c", "", name: "interrupt",
    "Quits at once, with exit code 130.")
  static let redraw = KeyCommand(
    NavigationAction.redraw, [.control("l")], "C-l", "", name: "redraw", "Draws the whole screen again.")
  static let unzoom = KeyCommand(
    NavigationAction.unzoom, [.character("_"), .character("+")], "_", "all panels", name: "all panels",
    "Shows all panels again.")
  static let suspend = KeyCommand(
    NavigationAction.suspend, [.control("z")], "C-z", "", name: "suspend",
    "Stops the program; fg brings it back.")

  static let copyMenu = KeyCommand(
    CopyAction.menu, [.character("y")], "y", "copy", name: "copy",
    "Copies a value; the next letter chooses which.", taking: .copyItem)
  static let filter = KeyCommand(
    ListAction.filter, [.character("/")], "/", "filter", name: "filter",
    "Filters the list: all words must match, a capital letter respects case, !not, ~fuzzy, client:4b0 by column.",
    taking: .text)
  static let mark = KeyCommand(
    ListAction.mark, [.character(" ")], "Space", "mark", name: "mark",
    "Marks the selected row; expire, invalidate and delete then act on all marked ones. Esc unmarks.")
  static let range = KeyCommand(
    ListAction.range, [.character("v")], "v", "range", name: "range",
    "Marks all rows from here to the row you move to; {range} ends it.")
  static let nextMatch = KeyCommand(
    ListAction.nextMatch, [.character("n")], "n", "", name: "next match",
    "Goes to the next row that matches the last filter, also when all rows are shown.")
  static let previousMatch = KeyCommand(
    ListAction.previousMatch, [.character("N")], "N", "", name: "previous match",
    "Goes to the previous row that matches the last filter.")
  static let sortMenu = KeyCommand(
    ColumnAction.sortMenu, [.character("O")], "O", "sort", name: "sort",
    "Sorts the list by a column; the same column again reverses the order.", taking: .column)
  static let columnMenu = KeyCommand(
    ColumnAction.columnMenu, [.character(",")], ",", "columns", name: "columns",
    "Hides a column, or shows it again.", taking: .column)
}

extension NavigationAction {
  static let presenterKey = KeyCommand(
    NavigationAction.presenter, [.character("P")], "P", "", name: "presenter",
    "Shows or hides a bar for an audience: what the step of a demo shows, and the next key.")
}
