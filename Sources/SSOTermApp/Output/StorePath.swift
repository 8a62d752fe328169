/// Where the store is: `--store`, else `SSOTERM_STORE`, else the XDG data folder.
package func storePath(option: String?, variable: (String) -> String? = StandardStreams.variable) -> String {
  if let path = option ?? variable("SSOTERM_STORE") { return path }
  // The XDG rules: a relative path in the variable does not count.
  if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/ssoterm/store.sqlite" }
  return (variable("HOME") ?? ".") + "/.local/share/ssoterm/store.sqlite"
}

/// The store in a word, for the header: its file without folder and ending; the usual one is the shared one.
package func storeName(_ lab: Lab) -> String {
  let file = lab.store.path?.split(separator: "/").last ?? "memory"
  let name = String(file.prefix { $0 != "." })
  return name == "store" ? "shared" : name
}
