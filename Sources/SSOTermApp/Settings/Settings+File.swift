import Essentials

extension Settings {
  /// The settings of the file at a path; nil if there is none.
  ///
  /// - Throws: the first mistake in it, with its line.
  package static func read(at path: String) throws(SettingsError) -> Settings? {
    guard let text = try text(at: path) else { return nil }
    let (settings, mistakes) = examined(text, file: path)
    guard mistakes.isEmpty else { throw first(of: mistakes) }
    return settings
  }

  /// The first of several mistakes, with how many there are besides.
  static func first(of mistakes: [SettingsError]) -> SettingsError {
    var first = mistakes[0]
    first.others = mistakes.count - 1
    return first
  }

  /// The settings as far as they can be read, and all mistakes in the order of the lines; nil if there is no file.
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

  /// What is in the file; nil if there is none.
  static func text(at path: String) throws(SettingsError) -> String? {
    // What a person names who wants no settings.
    guard path != "/dev/null" else { return nil }
    // Not waiting for the other end of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SettingsError(file: path, "cannot be read: \(SystemError(code: errno).words)")
    }
    defer { close(descriptor) }
    guard let permissions = permissions(ofRegularFile: descriptor) else {
      throw SettingsError(file: path, "is not a file")
    }
    // It names programs to run.
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
