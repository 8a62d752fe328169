/// The `OSStatus` values that the keychain returns here (Apple, `SecBase.h`).
package enum KeychainError: Int, NumberedCode, Error {
  case itemNotFound = -25300
  case duplicateItem = -25299
  case missingEntitlement = -34018
  case interactionNotAllowed = -25308

  package var family: Explanation.Family { .keychain }
}
