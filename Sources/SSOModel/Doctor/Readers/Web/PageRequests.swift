import SSOCore

/// The objects that the scripts of a web app give to MSAL.js beside its `auth`.
extension WebFacts {
  /// Records the scopes of requests that are a string, and the variables of scopes that the page does not have.
  mutating func takeRequests(_ pages: [ScriptModule], _ resolver: ScriptResolver) {
    for module in pages where module.importsMSAL || !module.configurations.isEmpty {
      requestRedirects += module.requestRedirects.compactMap { member in
        resolver.setting(member, in: module).found.flatMap { found in
          found.isFallback || FilePlace.isExample(found.place.path) || found.value.isEmpty ? nil : found
        }
      }
      for member in module.scopes {
        if module.requests.contains(member.line), let found = resolver.setting(member, in: module).found,
          !found.value.isEmpty, !found.isFallback
        {
          textsOfScopes.append(found)
        }
        let start = ScriptResolver.Resolved(value: member.value, module: module, line: member.line)
        guard let list = resolver.container(start), case .list = list.value else { continue }
        let own = ScriptModule.Member(value: list.value, line: list.line)
        if let unseen = resolver.unseenVariable(own, in: list.module), unseen.file == nil,
          !unseenScopes.contains(unseen)
        {
          unseenScopes.append(unseen)
        }
      }
    }
  }

  /// Records the objects for an application that have no client ID.
  mutating func takeApplications(_ pages: [ScriptModule], _ resolver: ScriptResolver) {
    let assigns = pages.contains { $0.configurations.contains { $0.isAssigned } }
    for module in pages {
      for member in module.applications {
        let start = ScriptResolver.Resolved(value: member.value, module: module, line: member.line)
        guard let object = resolver.container(start), case .object(let members, true) = object.value,
          !members.isEmpty
        else { continue }
        guard let auth = members["auth"] else {
          if !assigns { withoutClientID.append(object.place) }
          continue
        }
        let inner = ScriptResolver.Resolved(value: auth.value, module: object.module, line: auth.line)
        guard let own = resolver.container(inner), case .object(let values, true) = own.value,
          values["clientId"] == nil,
          !configurations.contains(where: { $0.place == own.place && $0.misspelt["clientId"] != nil })
        else { continue }
        withoutClientID.append(own.place)
      }
    }
  }
}
