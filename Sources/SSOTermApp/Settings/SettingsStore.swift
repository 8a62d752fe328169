extension Settings {
  /// The store that the settings file names; nil without one.
  ///
  /// Every command asks, so a file that does not have the word is not parsed for it.
  package static func store(at path: String) throws(SettingsError) -> String? {
    guard let text = try text(at: path), text.contains("store") else { return nil }
    var reader = SettingsReader(file: path)
    let settings = reader.read(text)
    guard reader.mistakes.isEmpty else { throw first(of: examined(text, file: path).mistakes) }
    return settings.store
  }
}
