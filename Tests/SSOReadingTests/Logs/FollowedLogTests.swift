import Foundation
import SSOCore
import SSOReading
import Testing

/// Logs that are read as they are written.
@Suite struct FollowedLogTests {
  /// Wherever a read ends, the calls are the same as in the entire log, and each is taken once.
  @Test(arguments: LogSample.all.filter { !$0.strings })
  func theCallsDoNotDependOnWhereAReadEnds(_ sample: LogSample) throws {
    let data = try sample.data()
    let whole = readLog(data)
    for size in [1, 3, 50, 4096] {
      var reader = LogReader()
      reader.isFollowed = true
      var taken: [Trace] = []
      for start in stride(from: 0, to: data.count, by: size) {
        let piece = data[start..<min(data.count, start + size)]
        piece.withUnsafeBytes { reader.feed($0) }
        taken += reader.takeCalls(.endedByNow)
      }
      taken += reader.takeCalls(.failed)
      let traces = reader.finish().traces
      #expect(traces.map(\.summary.summary) == whole.traces.map(\.summary.summary), "pieces of \(size)")
      let ended = whole.traces.filter { $0.outcome != nil }.count
      #expect(Set(taken.map(\.summary.id)).count == ended, "pieces of \(size): \(taken.map(\.summary))")
    }
  }

  @Test func aCallThatEndedIsTakenBeforeTheNextLine() {
    var reader = LogReader()
    reader.isFollowed = true
    func feed(_ text: String) { Data(text.utf8).withUnsafeBytes { reader.feed($0) } }
    let head = "TID=7 MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:07 - 00000001-0000-4000-8000-000000000000] "
    feed(head + "Beginning silent flow.\n")
    #expect(reader.takeCalls(.failed).isEmpty)
    feed(head + "Silent flow finished. Result (null), error: 0 error domain: (null)\n")
    #expect(reader.takeCalls(.endedByNow).isEmpty, "the line may go on")
    #expect(reader.takeCalls(.ended).map(\.summary.verdict) == ["succeeded"])
    #expect(reader.takeCalls(.failed).isEmpty)
  }

  /// An error that an app printed ends its call as soon as its last line is complete; a call of an SDK may still end.
  @Test func aPrintedErrorIsTakenWithoutAWait() {
    var reader = LogReader()
    reader.isFollowed = true
    func feed(_ text: String) { Data(text.utf8).withUnsafeBytes { reader.feed($0) } }
    feed("Unhandled: AADSTS50105: The person is not assigned.\n")
    #expect(reader.takeCalls(.endedByNow).isEmpty, "a stack may follow")
    #expect(reader.takeCalls(.overdue).isEmpty, "a stack may follow")
    #expect(reader.takeCalls(.ended).map(\.summary.verdict) == ["failed"])
    #expect(reader.takeCalls(.failed).isEmpty)
    let head = "TID=7 MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:07 - 00000001-0000-4000-8000-000000000000] "
    feed(head + "Beginning silent flow.\n" + head + "ERROR: AADSTS50105: The person is not assigned.\n")
    #expect(reader.takeCalls(.ended).isEmpty)
    #expect(reader.takeCalls(.overdue).isEmpty)
    #expect(reader.takeCalls(.atEnd).map(\.summary.verdict) == ["failed"])
  }

  /// In a log that never pauses, an error that an app printed ends its call when another line follows its record.
  @Test func aPrintedErrorIsTakenFromALogThatDoesNotPause() {
    var reader = LogReader()
    reader.isFollowed = true
    func feed(_ text: String) { Data(text.utf8).withUnsafeBytes { reader.feed($0) } }
    feed("Unhandled: AADSTS50105: The person is not assigned.\n   at Lamp.open(Lamp.cs:1)\n")
    #expect(reader.takeCalls(.overdue).isEmpty, "the stack may go on")
    for number in 0..<12 { feed("frame \(number) of the picture\n") }
    #expect(reader.takeCalls(.endedByNow).isEmpty)
    #expect(reader.takeCalls(.overdue).map { $0.verdict?.cause } == ["AADSTS50105"])
    feed("Unhandled: AADSTS50076: A second factor is needed.\n")
    #expect(reader.takeCalls(.ended).map { $0.verdict?.cause } == ["AADSTS50076"])
    #expect(reader.takeCalls(.atEnd).isEmpty)
  }
}
