extension Settings {
  /// Returns the store that the settings file specifies, or `nil` if it does not specify one.
  ///
  /// Every command calls this, so a file that does not contain the word is not parsed.
  package static func store(at path: String) throws(SettingsError) -> String? {
    guard let text = try text(at: path), text.contains("store") else { return nil }
    var reader = SettingsReader(file: path)
    let settings = reader.read(text)
    guard reader.mistakes.isEmpty else { throw first(of: examined(text, file: path).mistakes) }
    return settings.store
  }
}
