/// The `OSStatus` values that the keychain answers here (Apple, `SecBase.h`).
// swift-format-ignore
package enum KeychainError: CodeEntry, NumberedCode, Error {
  case itemNotFound = "-25300 errSecItemNotFound: No item matches the query. Cause: Nothing is stored under these attributes in the groups that the app may read. The SDKs never show it: the list is empty, or the call gives -50002. Remedy: Look at group, account and service; in the lab: {keychain}."
  case duplicateItem = "-25299 errSecDuplicateItem: There is an item with this group, class, account and service. Cause: A call adds an item where it should update one. The SDKs update instead. Remedy: Update the item."
  case missingEntitlement = "-34018 errSecMissingEntitlement: The app is not entitled to this access group. Cause: The group is missing in keychain-access-groups, mistyped, in one build configuration only, or the team differs. Remedy: Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team."
  case interactionNotAllowed = "-25308 errSecInteractionNotAllowed: The keychain is locked. Cause: The device has not been unlocked since it started. Remedy: Try again after the first unlock."

  package var family: Explanation.Family { .keychain }
}
