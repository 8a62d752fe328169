import SSOCore
import SSODevice
import SSOKeychain
import SSOLab
import SSOStore

// The output of `--json` for each row. It is written out key by key, because these names are a promise and the model's
// property names are not.

extension TokenStatus {
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
      "kind": .string(kind), "username": .optional(username), "standing": status.json,
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

extension Outcome {
  /// Returns the outcome as JSON, with the access token only if it was requested.
  package func json(traceID: Int64?, unmasked: Bool) -> JSONValue {
    let row: JSONValue = [
      "verdict": .string(verdict.rawValue), "summary": .string(summary), "errorText": .optional(errorText),
      "errorDomain": .optional(errorDomain), "errorCode": .optional(errorCode),
      "failedCheck": failedCheck?.json ?? .null, "next": .optional(next?.commandLine),
      "username": .optional(username),
      "homeAccountID": .optional(homeAccountID), "expiresOn": .moment(expiresOn),
      "grantedScopes": .strings(grantedScopes), "source": .optional(source), "prompted": .bool(prompted),
      "traceID": traceID.map { .integer($0) } ?? .null,
      "effects": effects == nil ? .null : .strings(effectLines),
    ]
    let named = error?.symbol.map { row.adding(["errorSymbol": .string($0)]) } ?? row
    return unmasked ? named.adding(["accessToken": .optional(accessToken)]) : named
  }
}

extension Hop {
  var json: JSONValue {
    [
      "from": .string(from.rawValue), "to": .string(to.rawValue), "actor": .string(actor),
      "action": .string(action), "result": .string(result),
      "sent": .array(sent.map { ["name": .string($0.name), "value": .string($0.value)] }),
      "checks": .array(checks.map(\.json)),
    ]
  }
}

extension TraceSummary {
  package var json: JSONValue {
    [
      "id": .integer(id), "title": .string(title), "correlationID": .string(correlationID),
      // A log may have no dates.
      "at": .moment(at.seconds == 0 ? nil : at), "verdict": .string(verdict), "summary": .string(summary),
      "hopCount": .count(hopCount), "undone": .bool(isUndone),
      "by": author?.json ?? .null,
    ]
  }
}

extension Author {
  var json: JSONValue { ["person": .string(person), "machine": .string(machine)] }
}

extension JournalEntry {
  package var json: JSONValue {
    [
      "id": .integer(id), "intent": .string(intent), "at": .moment(at), "kind": .string(kind.rawValue),
      "undoes": undoes.map { .integer($0) } ?? .null, "changes": .count(changes), "undone": .bool(isUndone),
      "by": author?.json ?? .null,
    ]
  }
}

extension Trace {
  package var json: JSONValue {
    summary.json.adding([
      "hops": .array(hops.enumerated().map { $1.json.adding(["note": .optional(notes[$0])]) }),
      "outcome": outcome?.json(traceID: summary.id, unmasked: false) ?? .null,
    ])
  }
}

extension PickerCandidate {
  package var json: JSONValue {
    [
      "homeAccountID": .string(homeAccountID), "username": .string(username),
      "name": .string(displayName), "tenant": .string(tenantName), "state": .string(state.rawValue),
      "remark": .string(remark), "shownBecause": .string(shownBecause),
      "lastUsed": .moment(lastUse?.at), "lastUsedBy": .optional(lastUse?.app),
    ]
  }
}

extension JSONValue {
  /// Returns a JSON value, which is null for an absent value, so that every key is always present.
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  package static func optional(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
  package static func moment(_ value: Instant?) -> JSONValue { value.map { .string($0.iso8601) } ?? .null }
  package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// The document as a command prints it, with the version of its format (docs/json.md).
  package var documentText: String { adding(["version": .integer(1)]).text(.document) }

  /// The document on one line, for a command that prints one document after another.
  package var documentLine: String {
    // A line feed in a string is written as an escape, so each line feed is one of the layout.
    documentText.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
  }

  /// Returns the object with additional keys, or any other value unchanged.
  package func adding(_ more: [String: JSONValue]) -> JSONValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields.merging(more, uniquingKeysWith: { $1 }))
  }
}
