import Essentials
import SSOPostgreSQL

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

/// The store itself: a file, or a team's lab if what is named is its address.
package func storeLocation(
  option: String?, variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) throws(StoreError) -> WorldStore.Location {
  let store = storePath(option: option, variable: variable, home: home)
  guard LabAddress.isMeant(by: store) else { return .file(path: store) }
  return .server(try LabAddress(store, stateFolder: stateFolder(variable: variable, home: home)))
}

/// The XDG state folder: what belongs to this person on this machine, and to no store.
package func stateFolder(
  variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/ssoterm" }
  let folder = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home() ?? "/nonexistent"
  return folder + "/.local/state/ssoterm"
}

extension StoreUser {
  /// The person at this process: `SSOTERM_USER`, else the login name, at this machine.
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

/// Without its domain: `qa-3`.
private func systemHostName() -> String {
  var name = [CChar](repeating: 0, count: 256)
  guard gethostname(&name, name.count - 1) == 0 else { return "" }
  return String(decoding: name.prefix { $0 != 0 && $0 != 46 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The home folder of this process's user, as the list of users has it.
package func systemHome() -> String? {
  getpwuid(getuid()).flatMap { $0.pointee.pw_dir.map { String(cString: $0) } }
}

/// The store as the header names it: `~/.local/share/ssoterm/store.sqlite`, `postgresql://db.example.com/qa?lab=team1`.
package func storeName(_ lab: Lab) -> String {
  storeName(lab.store.location.name, home: StandardStreams.variable("HOME") ?? systemHome())
}

/// A path or address with `~` in place of the home folder.
package func storeName(_ name: String, home: String?) -> String {
  guard let home, home != "/", name.hasPrefix(home + "/") else { return name }
  return "~" + name.dropFirst(home.count)
}
