extension TraceScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        TraceAction.nextStep, [.character("]"), .character(" ")], "] [", "step", name: "trace next",
        "Goes one step forward in the trace; Space does the same."),
      KeyCommand(
        TraceAction.previousStep, [.character("[")], "[", "", name: "trace back",
        "Goes one step back in the trace."),
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
    // `[` and `]` are for steps here.
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
    "Writes the trace to a file in the working directory: text, Mermaid or JSON. Secrets stay masked.",
    taking: .exportForm)
}
