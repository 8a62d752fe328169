import SSOCore
import SSOReading
import SSOTermApp
import SafeText

/// `ssoterm read GOOD BAD`: compares a call of one log with a call of another.
struct ReadComparison {
  let command: ReadCommand
  let files: (good: String, bad: String)

  func perform(on console: Console) throws -> ExitStatus {
    let reader = LogReader(
      people: try console.knownPeople(command.options), strings: try command.logStrings())
    let (good, bad) = (try traces(files.good, reader, console), try traces(files.bad, reader, console))
    guard let pair = CallComparison.pair(good, bad) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "nothingRecognised", what: "There are no two calls to compare.",
        why: "\(good.isEmpty ? files.good : files.bad) has no call of an identity SDK",
        next: "ssoterm read \(shellWord(good.isEmpty ? files.good : files.bad))")
    }
    let comparison = CallComparison((files.good, pair.0), (files.bad, pair.1))
    if console.json {
      console.print(document: comparison.json)
    } else {
      console.print(comparison.text(console.ink))
    }
    return comparison.differenceCount == 0 ? .done : .finding
  }

  private func traces(_ file: String, _ reader: LogReader, _ console: Console) throws -> [Trace] {
    switch try InputPieces(file, console).read(reader) {
    case .log(let reading): return reading.traces
    case .recording(let data):
      do throws(HARError) {
        return [RecordingReader(try HARFile(data)).read().trace]
      } catch {
        throw RecordingCommand.unreadable(file, error)
      }
    }
  }
}
