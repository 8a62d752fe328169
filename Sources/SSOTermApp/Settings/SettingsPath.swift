/// Where the settings file is: `SSOTERM_CONFIG`, else in the XDG configuration folder.
///
/// Never the current folder, where others might put one.
package func settingsPath(
  variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let path = variable("SSOTERM_CONFIG") { return path }
  let file = "/ssoterm/config.yaml"
  // The XDG rules: a relative path in the variable does not count.
  if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + file }
  let folder = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home() ?? "/nonexistent"
  return folder + "/.config" + file
}
