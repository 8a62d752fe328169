/// Returns the path of the settings file: `SSOTERM_CONFIG`, or else a file in the XDG configuration directory.
///
/// It is never in the current folder, where others might put a file.
package func settingsPath(
  variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let path = variable("SSOTERM_CONFIG") { return path }
  let file = "/ssoterm/config.yaml"
  // The XDG specification ignores a relative path in the variable.
  if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + file }
  let folder = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home() ?? "/nonexistent"
  return folder + "/.config" + file
}
