/// The access group the keychain sees, from what a developer gave the SDK (docs/behaviour/keychain.md §4).
/// - Parameters:
///   - group: `cacheConfig.keychainSharingGroup`, without team prefix; nil means the bundle ID, a private cache.
///   - teamID: ten characters in real teams, `ABCDE12345`.
///   - bundleID: of the app.
/// - Returns: `<teamID>.<group>`. The prefix is left out only if the string already *starts with* the text
///   of the team ID, with or without a dot after it: that is how the SDK does it.
package func fullAccessGroup(_ group: String?, teamID: String, bundleID: String) -> String {
  let group = group ?? bundleID
  return group.hasPrefix(teamID) ? group : teamID + "." + group
}
