import Foundation

/// Where the store is: `--store`, else `SSOTERM_STORE`, else the XDG data folder.
///
/// Never the current folder, where others might find it: without
/// `HOME` the person's folder is asked of the system.
package func storePath(
  option: String?, variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let path = option ?? variable("SSOTERM_STORE") { return path }
  // The XDG rules: a relative path in the variable does not count.
  if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/ssoterm/store.sqlite" }
  let folder = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home() ?? "/nonexistent"
  return folder + "/.local/share/ssoterm/store.sqlite"
}

/// The home folder of this process's user, as the list of users has it.
package func systemHome() -> String? {
  getpwuid(getuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } }
}

/// The store in a word, for the header: its file without folder and ending; the usual one is the shared one.
package func storeName(_ lab: Lab) -> String {
  let file = lab.store.path?.split(separator: "/").last ?? "memory"
  let name = String(file.prefix { $0 != "." })
  return name == "store" ? "shared" : name
}
