/// Apple's keychain status codes (fact sheet §1.1, §1.7, §6.4; causes from §8.1, §8.2, §8.11).
let keychainTable = """
  -25300 | errSecItemNotFound | No item fits the query. | Nothing is stored under these attributes in the groups that the app may read. The SDKs never show it: the list is empty, or the call gives -50002. | Look at group, account and service: ssoterm keychain.
  -25299 | errSecDuplicateItem | There is an item with this group, class, account and service. | An add where an update was meant. The SDKs update instead. | Update the item.
  -34018 | errSecMissingEntitlement | The app has no right to this access group. | The group is missing in keychain-access-groups, mistyped, in one build configuration only, or the team differs. | Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team.
  -25308 | errSecInteractionNotAllowed | The keychain is locked. | The device was not unlocked since it started. | Try again after the first unlock.
  """
