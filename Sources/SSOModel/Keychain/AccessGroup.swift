/// Returns the access group that the keychain sees, given the developer's setting (docs/behaviour/keychain.md §4).
/// - Parameters:
///   - group: `cacheConfig.keychainSharingGroup` without the team prefix, or `nil` for the bundle ID, a private cache.
///   - teamID: Ten characters for real teams, such as `ABCDE12345`.
///   - bundleID: The app's bundle ID.
/// - Returns: `<teamID>.<group>`. Like the SDK, it omits the prefix only if the string already *starts with* the text
///   of the team ID, with or without a dot after it.
package func fullAccessGroup(_ group: String?, teamID: String, bundleID: String) -> String {
  let group = group ?? bundleID
  return group.hasPrefix(teamID) ? group : teamID + "." + group
}
