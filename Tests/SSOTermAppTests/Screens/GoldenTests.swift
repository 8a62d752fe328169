import Foundation
import TerminalUI
import Testing

@testable import SSOProvider
@testable import SSOTermApp

struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Goldens")

  /// `RECORD_GOLDENS=1` rewrites the files; one that is missing is written, and the test fails once.
  @Test(arguments: FrameSample.all, FrameSample.sizes)
  func frameLooksAsRecorded(_ sample: FrameSample, _ size: Size) throws {
    let frame = sample.frame(size).text() + "\n"
    let file = Self.folder.appending(path: "\(sample.name).\(size.width)x\(size.height).txt")
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"
    if isRecording || recorded == nil { try frame.write(to: file, atomically: true, encoding: .utf8) }
    if !isRecording { #expect(frame == recorded) }
  }
}
