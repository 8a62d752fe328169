/// Performs an intent to its end and answers every prompt on the way.
///
/// The code is the same whether the answers come from options or from the user.
func runInteractively(
  _ intent: any Intent, on lab: Lab, with answerer: inout PromptAnswerer
) throws -> (outcome: Outcome, traceID: Int64) {
  var answers: [Answer] = []
  while true {
    switch try lab.perform(intent, answers: answers) {
    case .done(let outcome, let traceID): return (outcome, traceID)
    case .needs(let prompt, _):
      do throws(CommandFailure) { answers.append(try answerer.answer(prompt)) } catch {
        // As on the screens when the user leaves the page, record the attempt in the trace.
        if error.kind == PromptAnswerer.refusal { _ = try lab.perform(intent, answers: answers + [.cancel]) }
        throw error
      }
    }
  }
}

/// Performs an intent that has no prompt.
func runUnattended(_ intent: any Intent, on lab: Lab) throws -> (outcome: Outcome, traceID: Int64) {
  var answerer = PromptAnswerer()
  return try runInteractively(intent, on: lab, with: &answerer)
}
