extension PlainTerminal {
  /// Creates a plain terminal for the process's own terminal.
  init(_ terminal: ControllingTerminal, ink: Ink) {
    let dialogue = PlainDialogue(terminal, ink: ink)
    self.init(
      say: { dialogue.line($0) },
      hear: { question, others in
        dialogue.say(dialogue.ink.draw(question) + " ")
        guard others.isEmpty || terminal.wait(or: others) != .news else {
          // Start a new line, because the next output must not continue the line of the question.
          dialogue.line("")
          return .news
        }
        return dialogue.hear(false).map { .line($0) } ?? .end
      },
      answer: { prompt, offersPutOff in
        var dialogue = dialogue
        dialogue.offersPutOff = offersPutOff
        if offersPutOff { dialogue.line("! as an answer puts it off.") }
        return dialogue.answer(prompt)
      })
  }
}
