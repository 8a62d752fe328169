// The output of `--json` for each row. It is written out key by key, because these names are a promise and the model's
// property names are not.

extension TokenStanding {
  var json: JSONValue { ["state": .string(state.rawValue), "secondsLeft": .optional(secondsLeft)] }
}

extension Check {
  package var json: JSONValue {
    [
      "name": .string(name), "expected": .string(expected), "found": .string(found),
      "verdict": .string(verdict.rawValue), "source": .string(source),
    ]
  }
}

extension Prediction {
  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "sentence": .string(sentence), "checks": .array(checks.map(\.json)),
    ]
  }
}

extension AppRow {
  package var json: JSONValue {
    [
      "bundleID": .string(bundleID), "name": .string(displayName), "vendor": .string(vendor),
      "teamID": .string(teamID), "sdk": .string(sdk), "sdkVersion": .string(sdkVersion),
      "clientID": .string(clientID), "redirectURI": .string(redirectURI), "account": .optional(account),
      "accounts": .strings(accounts),
      "accountCount": .count(accountCount), "accessToken": accessToken.json,
      "refreshToken": refreshToken.json, "target": .optional(target), "familyID": .optional(familyID),
      "accessGroup": .string(accessGroup), "sharesGroupWith": .strings(sharesGroupWith),
      "broker": .string(broker), "next": next.json, "warnings": .strings(warnings),
    ]
  }
}

extension AccountRow {
  package var json: JSONValue {
    [
      "homeAccountID": .string(homeAccountID), "username": .string(username),
      "name": .optional(displayName), "environment": .string(environment),
      "homeTenantID": .string(homeTenantID), "homeTenantName": .optional(homeTenantName),
      "guestRealms": .strings(guestRealms), "apps": .strings(apps), "sharingApps": .strings(sharingApps),
      "refreshToken": refreshToken.json, "places": .strings(places),
    ]
  }
}

extension TokenRow {
  /// Returns the row as JSON.
  ///
  /// If `unmasked` is true, the row was read with its secret.
  package func json(unmasked: Bool) -> JSONValue {
    let row: JSONValue = [
      "id": .string(id), "type": .string(type), "clientID": .string(clientID),
      "redirectURIs": .strings(redirectURIs), "apps": .strings(apps),
      "homeAccountID": .string(homeAccountID), "username": .optional(username),
      "environment": .string(environment), "realm": .optional(realm), "target": .optional(target),
      "familyID": .optional(familyID), "accessGroup": .string(accessGroup),
      "state": .string(state.rawValue), "expiresOn": .moment(expiresOn), "cachedAt": .moment(cachedAt),
      "secondsLeft": .optional(secondsLeft),
    ]
    return unmasked ? row.adding(["secret": .string(secret)]) : row
  }
}

extension KeychainGroupRow {
  package var json: JSONValue {
    [
      "accessGroup": .string(accessGroup), "itemCount": .count(itemCount),
      "readers": .array(
        readers.map {
          [
            "bundleID": .string($0.bundleID), "name": .string($0.displayName),
            "isConfigured": .bool($0.isConfigured),
          ]
        }),
      "outsiders": .strings(outsiders),
    ]
  }
}

extension KeychainItemRow {
  package var json: JSONValue {
    [
      "id": .integer(id), "accessGroup": .string(key.accessGroup), "account": .string(key.account),
      "service": .string(key.service), "generic": .optional(generic), "type": .optional(type),
      "kind": .string(kind), "username": .optional(username), "standing": standing.json,
      "size": .count(size), "createdAt": .moment(createdAt), "modifiedAt": .moment(modifiedAt),
    ]
  }
}

extension LabStatus {
  package var json: JSONValue {
    [
      "name": .string(name), "storePath": .optional(storePath), "device": .string(device),
      "platform": .string(platform), "now": .moment(now), "clockOffset": .optional(clockOffset),
      "apps": .count(appCount), "accounts": .count(accountCount), "credentials": .count(credentialCount),
      "brokerInstalled": .bool(brokerInstalled), "canUndo": .optional(canUndo),
      "canRedo": .optional(canRedo), "othersChange": .optional(othersChange),
    ]
  }
}
