import Essentials

extension Settings {
  /// Returns the settings in the file at a path, or `nil` if there is no file.
  ///
  /// - Throws: The first error in the file, with its line.
  package static func read(at path: String) throws(SettingsError) -> Settings? {
    guard let text = try text(at: path) else { return nil }
    let (settings, mistakes) = examined(text, file: path)
    guard mistakes.isEmpty else { throw first(of: mistakes) }
    return settings
  }

  /// Returns the first of several errors, with the number of the others.
  static func first(of mistakes: [SettingsError]) -> SettingsError {
    var first = mistakes[0]
    first.others = mistakes.count - 1
    return first
  }

  /// Returns the settings that can be read, and all errors in the order of their lines, or `nil` if there is no file.
  package static func examined(
    at path: String
  ) throws(SettingsError) -> (settings: Settings, mistakes: [SettingsError])? {
    try text(at: path).map { examined($0, file: path) }
  }

  static func examined(_ text: String, file: String) -> (settings: Settings, mistakes: [SettingsError]) {
    var reader = SettingsReader(file: file)
    let settings = reader.read(text)
    let mistakes = reader.mistakes + KeyTable.conflicts(in: settings, file: file)
    return (settings, mistakes.sorted { $0.line < $1.line })
  }

  /// Returns the contents of the file, or `nil` if there is no file.
  static func text(at path: String) throws(SettingsError) -> String? {
    // The path that users specify to use no settings.
    guard path != "/dev/null" else { return nil }
    // Do not wait for the other end of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SettingsError(file: path, "cannot be read: \(SystemError(code: errno).words)")
    }
    defer { close(descriptor) }
    guard let permissions = permissions(ofRegularFile: descriptor) else {
      throw SettingsError(file: path, "is not a file")
    }
    // The file names programs to run.
    guard permissions & 0o002 == 0 else {
      throw SettingsError(file: path, "can be written by every user", remedy: "chmod o-w \(shellWord(path))")
    }
    do throws(SystemError) {
      let data = try StandardStreams.read(descriptor, limit: ScenarioParser.largestFile + 1)
      return String(decoding: data, as: UTF8.self)
    } catch {
      throw SettingsError(file: path, "cannot be read: \(error.words)")
    }
  }
}
