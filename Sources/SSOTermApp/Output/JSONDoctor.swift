import SSOCore
import SSODevice
import SSODoctor

extension FilePlace {
  package var json: JSONValue { ["file": .string(path), "line": .optional(line)] }
}

extension DoctorCheck {
  package var json: JSONValue {
    [
      "rule": .string(rule.name), "title": .string(rule.title), "subject": .string(subject),
      "severity": hasFailed ? .string(severity.rawValue) : .null, "check": check.json, "place": place.json,
      "code": .optional(refusal?.code), "prints": .optional(refusal?.text), "write": .optional(fix),
    ]
  }
}

extension AppleFacts {
  package var json: JSONValue {
    [
      "kind": "app", "name": .string(name), "configuration": .optional(configuration), "place": origin.json,
      "platform": .string(platform.rawValue), "sdk": .optional(sdk?.rawValue),
      "sdkVersion": .optional(sdkVersion), "bundleID": .optional(bundleID?.value),
      "teamID": .optional(teamID?.value), "clientID": .optional(clientID?.value),
      "redirectURI": .optional(source?.redirectURI.found?.value),
      "authority": .optional(source?.authority.found?.value),
      "urlSchemes": .strings(urlSchemes?.values ?? []), "querySchemes": .strings(querySchemes?.values ?? []),
    ]
  }
}

extension RegistrationFacts {
  package var json: JSONValue {
    [
      "kind": "registration", "name": .string(name), "place": origin.json,
      "clientID": .string(clientID.value),
      "redirects": .array(
        redirects.map {
          ["uri": .string($0.uri), "platform": .string($0.kind.rawValue), "place": $0.place.json]
        }),
      "audience": .optional(audience?.value),
    ]
  }
}

extension AndroidFacts {
  package var json: JSONValue {
    let configuration = configurations.first
    return [
      "kind": "app", "name": .string(name), "place": origin.json, "platform": "Android", "sdk": "MSAL",
      "bundleID": .optional(packageName?.value), "clientID": .optional(configuration?.clientID?.value),
      "redirectURI": .optional(configuration?.redirectURI?.value),
      "signatureHashes": .strings(signatureHashes),
    ]
  }
}

extension WebFacts {
  package var json: JSONValue {
    [
      "kind": "app", "name": .string(name), "place": origin.json, "platform": "browser", "sdk": "MSAL.js",
      "clientID": .optional(clientID?.value),
      "redirectURI": .optional(redirectURI?.value),
    ]
  }
}

extension VendorFacts {
  package var json: JSONValue {
    [
      "kind": "library", "name": .string(name), "place": origin.json, "library": .string(vendor.name),
    ]
  }
}

extension Diagnosis {
  /// The apps with the values that their files do not show, and the libraries that are not checked.
  private var notSeen: [JSONValue] {
    var all: [JSONValue] = []
    for subject in subjects {
      if let what = subject.notSeen { all.append(["subject": .string(subject.name), "what": .string(what)]) }
    }
    for use in uses {
      all.append(["subject": .string(use.place.description), "what": .string(use.displayText)])
    }
    return all
  }

  package var json: JSONValue {
    [
      "subjects": .array(
        apple.map(\.json) + android.map(\.json) + web.map(\.json) + registrations.map(\.json)
          + vendors.map(\.json)),
      "findings": .array(findings.map(\.json)), "verdict": verdict.json,
      "passed": .array(checks.filter { $0.check.verdict == .passed }.map(\.json)),
      "notSeen": .array(notSeen),
      "projects": .array(
        notes.map {
          ["kind": .string($0.kind.rawValue), "place": $0.place.json, "what": .string($0.displayText)]
        }),
      "unread": .array(
        unread.map {
          ["file": .string($0.path), "line": .optional($0.error.line), "reason": .string($0.error.problem)]
        }),
    ]
  }
}
