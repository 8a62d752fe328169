import Essentials

/// The item of a client contains the entries of all of its accounts, and each sign-in rewrites it.
///
/// Therefore, it is read and written without creating intermediate JSON values.
extension AccountMetadata {
  /// Creates metadata from `kSecValueData`, or returns `nil` if it is not a JSON object with a client ID.
  package init?(data: Data) {
    guard let found = try? JSONParser.read(data, Self.init(from:)) else { return nil }
    self = found
  }

  private init?(from parser: inout JSONParser) throws(JSONParseError) {
    self.init(clientID: "")
    var hasClientID = false
    try parser.members { parser, key throws(JSONParseError) in
      switch key {
      case "client_id":
        let text = try parser.value().string
        hasClientID = text != nil
        clientID = text ?? ""
      case "principal_home_account_id": principalHomeAccountID = try parser.value().string
      case "principal_username": principalUsername = try parser.value().string
      case "principal_account_environment": principalEnvironment = try parser.value().string
      case "account_metadata_map":
        entries = [:]
        try parser.members { parser, home throws(JSONParseError) in
          entries[home] = try Entry(homeAccountID: home, from: &parser)
        }
      default: _ = try parser.value()
      }
    }
    if !hasClientID { return nil }
  }

  /// The value for `kSecValueData`.
  ///
  /// `athority_map` is the SDK's spelling.
  package var data: Data {
    var json = JSONWriter(.keychain)
    json.object { json in
      json.member("account_metadata_map")
      json.object { json in
        for (home, entry) in entries.sorted(by: { $0.key < $1.key }) {
          json.member(home)
          entry.write(into: &json, clientID: clientID)
        }
      }
      json.member("client_id", clientID)
      json.member("principal_account_environment", principalEnvironment)
      json.member("principal_home_account_id", principalHomeAccountID)
      json.member("principal_username", principalUsername)
    }
    return json.data
  }
}

extension AccountMetadata.Entry {
  fileprivate init(homeAccountID: String, from parser: inout JSONParser) throws(JSONParseError) {
    self.init(homeAccountID: homeAccountID, signInState: .unknown)
    try parser.members { parser, key throws(JSONParseError) in
      switch key {
      case "home_account_id": self.homeAccountID = try parser.value().string ?? homeAccountID
      case "sign_in_state":
        signInState = try parser.value().string.flatMap(AccountMetadata.SignInState.init) ?? .unknown
      case "athority_map":
        urlMaps = (try parser.value().object ?? [:]).mapValues { map in
          (map.object ?? [:]).compactMapValues(\.string)
        }
      default: _ = try parser.value()
      }
    }
  }

  fileprivate func write(into json: inout JSONWriter, clientID: String) {
    json.object { json in
      json.member("athority_map")
      json.value(.object(urlMaps.mapValues { .object($0.mapValues(JSONValue.string)) }))
      json.member("client_id", clientID)
      json.member("home_account_id", homeAccountID)
      json.member("sign_in_state", signInState.rawValue)
    }
  }
}
