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
    return unmasked ? row.adding(["accessToken": .optional(accessToken)]) : row
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
      "at": .moment(at), "verdict": .string(verdict), "summary": .string(summary),
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
