import Essentials
import SSOCore
import SSOLab
import SSOPostgreSQL
import SSOStore

/// Returns the path of the store: `--store`, or else `SSOTERM_STORE`, or else a file in the XDG data directory.
///
/// It is never in the current folder, where others might find it. Without `HOME`, the system provides the user's home
/// folder.
package func storePath(
  option: String?, variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let path = option ?? variable("SSOTERM_STORE") { return path }
  // The XDG specification ignores a relative path in the variable.
  if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/ssoterm/store.sqlite" }
  return homeFolder(variable, home) + "/.local/share/ssoterm/store.sqlite"
}

/// The folder in place of the home of a user who has none, which no system creates.
private let homeless = "/nonexistent"

/// Returns the user's home folder: `HOME`, or else the folder from the system's list of users, or else a folder that does
/// not exist.
func homeFolder(_ variable: (String) -> String?, _ home: () -> String?) -> String {
  variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home() ?? homeless
}

/// Returns the path of the store that is used if neither an option nor `SSOTERM_STORE` specifies one.
package func defaultStorePath(_ variable: (String) -> String? = StandardStreams.variable) -> String {
  storePath(option: nil) { $0 == "SSOTERM_STORE" ? nil : variable($0) }
}

/// Writes a private JSON file, and creates its folder if necessary.
///
/// The file is only a convenience, so the program continues without it.
func writeBesideStore(_ value: some Encodable, to path: String) {
  try? FileManager.default.createDirectory(
    atPath: path.parentFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  try? writeFile(encodeJSON(value), to: path, access: .secret)
}

/// Returns the location of the store: a file, or a team's lab if its address is given.
package func storeLocation(
  option: String?, variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) throws(StoreError) -> WorldStore.Location {
  let store = storePath(option: option, variable: variable, home: home)
  if store.hasPrefix(homeless + "/"), homeFolder(variable, home) == homeless { throw .homeless }
  guard LabAddress.matches(store) else {
    try LabAddress.checkIsPath(store)
    return .file(path: store)
  }
  return .server(try LabAddress(store, stateFolder: stateFolder(variable: variable, home: home)))
}

/// Returns the XDG state directory, for files that belong to this user on this machine and not to a store.
package func stateFolder(
  variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/ssoterm" }
  return homeFolder(variable, home) + "/.local/state/ssoterm"
}

extension StoreUser {
  /// Returns the user of this process on this machine: `SSOTERM_USER`, or else the login name.
  package static func ofProcess(
    variable: (String) -> String? = StandardStreams.variable
  ) -> StoreUser {
    let named = variable("SSOTERM_USER")
    let person = named ?? systemLoginName() ?? "user \(getuid())"
    return StoreUser(Author(person: person, machine: systemHostName()), isNamed: named != nil)
  }
}

private func systemLoginName() -> String? {
  getpwuid(getuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } }
}

/// Returns the host name without its domain, such as `qa-3`.
private func systemHostName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  guard gethostname(&name, name.count - 1) == 0 else { return "" }
  return String(decoding: name.prefix { $0 != 0 && $0 != 46 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Returns the home folder of this process's user, from the system's list of users.
package func systemHome() -> String? {
  getpwuid(getuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } }
}

/// Returns the store's name for the header: `~/.local/share/ssoterm/store.sqlite`,
/// `postgresql://db.example.com/qa?lab=team1`.
package func storeName(_ lab: Lab) -> String {
  storeName(lab.store.location.name, home: StandardStreams.variable("HOME") ?? systemHome())
}

/// Returns a path or address with `~` in place of the home folder.
package func storeName(_ name: String, home: String?) -> String {
  guard let home, home != "/", name.hasPrefix(home + "/") else { return name }
  return "~" + name.dropFirst(home.count)
}
