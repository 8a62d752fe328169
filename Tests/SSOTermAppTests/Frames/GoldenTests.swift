import Foundation
import Testing

@testable import SSOTermApp

struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Goldens")

  /// `RECORD_GOLDENS=1` rewrites the files.
  ///
  /// A missing file is written, and the test fails once.
  @Test(arguments: FrameSample.all, FrameSample.sizes)
  func frameLooksAsRecorded(_ sample: FrameSample, _ size: Size) throws {
    let frame = sample.frame(size).golden
    let file = Self.folder.appending(path: "\(sample.name).\(size.width)x\(size.height).txt")
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"
    if isRecording || recorded == nil { try frame.write(to: file, atomically: true, encoding: .utf8) }
    if !isRecording { #expect(frame == recorded) }
  }

  @Test func aGoldenThatLosesItsColourDiffers() {
    var coloured = Grid(width: 12, height: 2)
    coloured.put("good", at: 2, 1, style: .good)
    var plain = Grid(width: 12, height: 2)
    plain.put("good", at: 2, 1)
    #expect(coloured.text() == plain.text())
    #expect(coloured.golden == "\n  good\n\nstyles\n1 .:2 g:4\n")
    #expect(plain.golden == "\n  good\n\nstyles\n")
  }
}

extension Grid {
  /// The text, followed by the styles of each row that has any.
  ///
  /// `3 a:1 .:4 D:12` stands for one cell of accent, four plain cells, and twelve dim bold cells in row 3, counted from
  /// 0. The letters are those of `Grid.styleText`.
  fileprivate var golden: String {
    let styles = styleText().split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.isEmpty }
      .map { "\($0.offset) \(Self.runs(of: $0.element))\n" }
    return text() + "\n\nstyles\n" + styles.joined()
  }

  private static func runs(of styles: Substring) -> String {
    var runs: [(style: Character, count: Int)] = []
    for style in styles {
      if runs.last?.style == style { runs[runs.count - 1].count += 1 } else { runs.append((style, 1)) }
    }
    return runs.map { "\($0.style):\($0.count)" }.joined(separator: " ")
  }
}
