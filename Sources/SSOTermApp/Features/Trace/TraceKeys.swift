extension TraceScreen {
  /// The keys without the command that repeats a call: `.` steps here, and must not repeat a call at the last step.
  static let keys: [KeyCommand] = table.filter { $0 != .repeatFlow }

  private static let table: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        TraceAction.play, [.character(" ")], "Space", "play", name: "trace play",
        "Plays the trace step by step; the same key stops it."),
      KeyCommand(
        TraceAction.nextStep, [.character("."), .character("]")], ". ,", "step", name: "trace next",
        "Goes one step forward in the trace; ] does the same."),
      KeyCommand(
        TraceAction.previousStep, [.character(","), .character("[")], ",", "", name: "trace back",
        "Goes one step back in the trace; [ does the same."),
      KeyCommand(
        TraceAction.faster, [.character("}")], "} {", "", name: "trace faster",
        "Plays the trace faster."),
      KeyCommand(
        TraceAction.slower, [.character("{")], "{", "", name: "trace slower", "Plays the trace slower."),
    ],
    more: [
      .exportTrace,
      KeyCommand(
        TraceAction.note, [.character(";")], ";", "note", name: "note",
        "Writes a note on the selected step and saves it in the store. An empty note is removed.",
        taking: .text
      ),
      KeyCommand(
        TraceAction.mark, [.character("m")], "m", "mark", name: "step mark",
        "Marks the selected step of the trace, or removes the mark."),
      KeyCommand(
        TraceAction.jumpToMark, [.character("'")], "'", "next mark", name: "step jump",
        "Goes to the next marked step of the trace."),
    ],
    // `[` and `]` are used for steps here.
    panels: [
      KeyCommand(
        NavigationAction.nextPanel, [.tab, .character("l"), .right], "Tab", "panel", name: "next panel",
        "Moves the focus to the next panel."),
      KeyCommand(
        NavigationAction.previousPanel, [.backTab, .character("h"), .left], "S-Tab", "",
        name: "previous panel", "Moves the focus to the previous panel."),
    ])
}

extension KeyCommand {
  static let exportTrace = KeyCommand(
    TraceAction.exportMenu, [.character("x")], "x", "export", name: "trace export",
    "Writes the trace to a file in the working directory: text, Mermaid, JSON, SVG, HAR or asciicast. Secrets stay masked.",
    taking: .exportForm)
}
