import Foundation
import TerminalUI
import Testing

struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Goldens")

  /// Compares a sample with its file, which has the frames of all sizes.
  ///
  /// `RECORD_GOLDENS=1` rewrites the files. A missing file is written, and the test fails once.
  @Test(arguments: FrameSample.all) func framesLookAsRecorded(_ sample: FrameSample) throws {
    let frames = FrameSample.sizes.map { "\($0.width)x\($0.height)\n" + sample.frame($0).golden }
    let file = Self.folder.appending(path: sample.name + ".txt")
    let recorded = try? String(contentsOf: file, encoding: .utf8).split(separator: "==== ").map(String.init)
    let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"
    if isRecording || recorded == nil {
      try frames.map { "==== " + $0 }.joined().write(to: file, atomically: true, encoding: .utf8)
    }
    guard !isRecording else { return }
    #expect(recorded?.count == frames.count)
    for (frame, golden) in zip(frames, recorded ?? []) { #expect(frame == golden) }
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
