/// Apple's status codes, as the keychain answers them (fact sheet §1.1, §1.7, §6.4).
package enum KeychainError: Int, Error, CaseIterable, Sendable {
  case itemNotFound = -25300
  case duplicateItem = -25299
  case missingEntitlement = -34018
  case interactionNotAllowed = -25308

  /// Apple's name of the code.
  package var name: String {
    switch self {
    case .itemNotFound: "errSecItemNotFound"
    case .duplicateItem: "errSecDuplicateItem"
    case .missingEntitlement: "errSecMissingEntitlement"
    case .interactionNotAllowed: "errSecInteractionNotAllowed"
    }
  }
}
