import Foundation

/// Runs small programs to their end: no shell, no waiting for ever.
enum ChildProgram {
  /// After this a program is ended: a clipboard on a display that has gone never answers.
  private static let seconds = 2.0

  /// The full path of a program in `PATH`.
  static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Hands a program its input.
  ///
  /// What it prints is dropped: xclip stays behind in the background with its output open.
  /// - Returns: whether it ended well.
  static func feed(_ input: String, to words: [String]) -> Bool {
    let pipe = Pipe()
    return run(words, input: pipe) {
      let writer = pipe.fileHandleForWriting
      DispatchQueue.global().async {
        try? writer.write(contentsOf: Data(input.utf8))
        try? writer.close()
      }
    }
  }

  /// What a program prints, up to what a pipe holds; nil if it could not be run, failed, or took too long.
  static func output(of words: [String]) -> String? {
    let pipe = Pipe()
    guard run(words, output: pipe) else { return nil }
    return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
  }

  private static func run(
    _ words: [String], input: Pipe? = nil, output: Pipe? = nil, started: () -> Void = {}
  ) -> Bool {
    guard let name = words.first, let path = path(of: name) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = Array(words.dropFirst())
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { return false }
    started()
    guard ended.wait(timeout: .now() + seconds) == .success else {
      process.terminate()
      return false
    }
    return process.terminationStatus == 0
  }
}
