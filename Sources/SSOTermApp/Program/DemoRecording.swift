/// A demo that runs by itself, as an asciicast: its steps one after the other, with the scenario's answers, as `>` runs them.
///
/// The recording is the same each time, for the lab's clock is stopped.
package struct DemoRecording: Equatable {
  /// The file's text.
  package let text: String
  /// How long it plays.
  package let milliseconds: Int

  /// Runs the demo.
  ///
  /// `pace` is how long each picture stays, in milliseconds; after a step it stays twice as long.
  /// - Throws: `UnfinishedDemo` if a step asks what the scenario has no answer for.
  package init(_ file: ScenarioFile, size: Size, pace: Int) throws {
    var session = OffscreenSession(
      try Lab.temporary(file), title: "demo " + file.name, size: size, demo: file)
    var cast = Asciicast(size: size, title: file.title)
    var done: Int { session.model.screens.story.story?.reports.count ?? 0 }
    cast.show(session.picture, forMilliseconds: 2 * pace)
    while let step = session.model.screens.story.story?.next {
      let count = done
      // Eight prompts are the longest flow there is.
      for _ in 0..<16 where done == count {
        session.press(.character(">"))
        cast.show(session.picture, forMilliseconds: done == count ? pace : 2 * pace)
      }
      if done == count { throw UnfinishedDemo(step: step.title) }
    }
    cast.end()
    (text, milliseconds) = (cast.text, cast.milliseconds)
  }
}

/// A demo that cannot be recorded to its end.
package struct UnfinishedDemo: Error {
  package var step: String
}
