import SSOReference
import Testing

@testable import SSOReading

@Suite struct LogSentenceTests {
  /// A sentence is found by its first eight bytes, or anywhere in the message.
  @Test func eachRowOfTheTableIsAStep() {
    let table = ReferenceTable("log-sentences.tsv")
    #expect(table.rows.count > 200)
    for fields in table.rows.map({ table.fields($0) }) {
      let step = LogStep(fields.dropFirst())
      #expect(fields.first.flatMap(LogKind.init(rawValue:)) != nil, "\(fields)")
      #expect(step.map { $0.isInside || $0.sentence.count >= 8 } == true, "\(fields)")
    }
  }
}
