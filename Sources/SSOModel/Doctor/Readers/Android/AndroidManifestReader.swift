import SSOCore
import SSODevice

/// A reader that extracts what a sign-in needs from an AndroidManifest.xml, as text or in the binary form of an APK.
struct AndroidManifestReader {
  /// MSAL's activity, and the activity of apps that receive the response in the task that started the request.
  private static let activities = [
    AndroidFacts.Stranger.msal, AndroidFacts.Stranger.msalInCurrentTask,
  ]

  /// Adds the values of a manifest to the facts.
  ///
  /// `values` maps the name of each Gradle placeholder, such as `applicationId`, to its value. `activities` are the names of MSAL's activity.
  /// `strings` returns the values of a string resource.
  static func take(
    _ manifest: XMLElement, path: String, values: [String: String], activities: [String] = activities,
    into facts: inout AndroidFacts,
    strings: (String) -> [String] = { _ in [] }
  ) {
    facts.manifest = facts.manifest ?? FilePlace(path, line: manifest.line)
    if let package = manifest["package"], facts.packageName == nil {
      facts.packageName = Found(package.value, FilePlace(path, line: package.line))
    }
    let sdk = manifest.elements("uses-sdk").first?["android:targetSdkVersion"]?.value
    facts.targetSDK = facts.targetSDK ?? sdk.flatMap { Int($0) }
    for application in manifest.elements("application") {
      let label = application["android:label"].flatMap { texts(of: $0.value, values, strings).first }
      facts.label = facts.label ?? label.flatMap(shownLabel)
      takeExports(of: application, path, values, into: &facts)
      for activity in application.elements("activity") {
        guard let name = activity["android:name"] else { continue }
        guard activities.contains(name.value) else {
          let all = activity.elements("intent-filter").filter { !hasPattern($0) }
            .flatMap { filters(of: $0, path: path, values: values, strings) }
          guard activity["tools:node"]?.value != "remove",
            all.contains(where: { $0.scheme?.hasPrefix("ms") == true })
          else { continue }
          facts.strangers.append(
            AndroidFacts.Stranger(name: Found(name.value, FilePlace(path, line: name.line)), filters: all))
          continue
        }
        // The system does not start a component that is disabled.
        guard activity["tools:node"]?.value != "remove", activity["android:enabled"]?.value != "false" else {
          // Another source set removes it from its own builds only.
          if path.contains("/main/") { facts.removal = FilePlace(path, line: activity.line) }
          continue
        }
        let isExported = activity["android:exported"].map { $0.value == "true" }
        if facts.activity == nil || isExported == false && facts.isExported != false {
          facts.activity = FilePlace(path, line: activity.line)
        }
        facts.isExported = facts.isExported.map { $0 && isExported != false } ?? isExported
        let replaces = activity["tools:node"]?.value == "replace"
        facts.filters += activity.elements("intent-filter").flatMap {
          filters(of: $0, path: path, values: values, strings)
        }.map { filter in
          var filter = filter
          filter.replacesOthers = replaces
          filter.isOfCurrentTask = name.value == AndroidFacts.Stranger.msalInCurrentTask
          return filter
        }
      }
    }
  }

  /// Records the components that have a filter and do not say whether they are exported.
  ///
  /// Source: developer.android.com/about/versions/12/behavior-changes-12, "Safer component exporting". The manifest of a
  /// library may say it for its own components.
  private static func takeExports(
    of application: XMLElement, _ path: String, _ values: [String: String], into facts: inout AndroidFacts
  ) {
    let own = [facts.packageName?.value, values["applicationId"]].compactMap(\.self)
    for kind in ["activity", "activity-alias", "service", "receiver"] {
      for component in application.elements(kind) {
        guard let name = component["android:name"]?.value, let last = name.split(separator: ".").last else {
          continue
        }
        if component["android:exported"] != nil { facts.exportedComponents.insert(String(last)) }
        let isOwn =
          name.hasPrefix(".") || !name.contains(".") || own.contains { name.hasPrefix($0 + ".") }
        guard isOwn, component["android:exported"] == nil, component["tools:node"] == nil,
          !component.elements("intent-filter").isEmpty
        else { continue }
        facts.unexported.append(Found(String(last), FilePlace(path, line: component.line)))
      }
    }
  }

  /// Returns the values of an attribute that may name a string resource or a placeholder.
  private static func texts(
    of attribute: String, _ values: [String: String], _ strings: (String) -> [String]
  ) -> [String] {
    let resource = "@string/"
    let texts = attribute.hasPrefix(resource) ? strings(String(attribute.dropFirst(resource.count))) : []
    return (texts.isEmpty ? [attribute] : texts).map { text in
      values.reduce(text) { $0.replacing("${\($1.key)}", with: $1.value) }
    }
  }

  /// Returns an app's label as the launcher shows it, or `nil` if only the build knows it.
  private static func shownLabel(_ text: String) -> String? {
    let label = text.replacing("\\'", with: "'").replacing("&amp;", with: "&").trimmed
    return label.isEmpty || label.hasPrefix("@") || label.contains("$") ? nil : label
  }

  private static let dataLimit = 8

  /// Returns whether a filter takes paths by a prefix or a pattern; this reader compares only exact paths.
  private static func hasPattern(_ filter: XMLElement) -> Bool {
    let names = ["pathPrefix", "pathSuffix", "pathPattern", "pathAdvancedPattern"]
    return filter.elements("data").contains { data in
      names.contains { data["android:" + $0] != nil } && slashless(data) == nil
    }
  }

  /// Returns the prefix of a path without its slash, with which no path begins, or `nil`.
  private static func slashless(_ data: XMLElement) -> XMLElement.Attribute? {
    guard let prefix = data["android:pathPrefix"], !["/", "@", "$"].contains(where: prefix.value.hasPrefix)
    else { return nil }
    return prefix
  }

  /// Returns a filter for each combination of scheme, host, and path of an intent filter.
  ///
  /// Android combines the parts of several `<data>` elements.
  private static func filters(
    of filter: XMLElement, path: String, values: [String: String], _ strings: (String) -> [String]
  ) -> [AndroidFacts.Filter] {
    func names(_ element: String) -> Set<String> {
      Set(filter.elements(element).compactMap { $0["android:name"]?.value })
    }
    let (actions, categories) = (names("action"), names("category"))
    let lacking =
      ["action.VIEW"].filter { !actions.contains("android.intent." + $0) }
      + ["category.DEFAULT", "category.BROWSABLE"].filter { !categories.contains("android.intent." + $0) }
    let data = filter.elements("data").prefix(dataLimit)
    func parts(_ name: String) -> [(text: String?, element: XMLElement?)] {
      let found = data.flatMap { element -> [(text: String?, element: XMLElement?)] in
        let prefix = name == "path" ? slashless(element)?.value : nil
        guard let attribute = element["android:" + name]?.value ?? prefix else { return [] }
        return texts(of: attribute, values, strings).map { ($0, element) }
      }
      return found.isEmpty ? [(nil, nil)] : found
    }
    return parts("scheme").flatMap { scheme in
      parts("host").flatMap { host in
        parts("path").map { end in
          AndroidFacts.Filter(
            scheme: scheme.text, host: host.text,
            isHostTheApplicationID: host.element?["android:host"]?.value == "${applicationId}",
            path: end.text, isComplete: lacking.isEmpty, lacking: lacking,
            place: FilePlace(path, line: (end.element ?? host.element ?? scheme.element ?? data.first)?.line))
        }
      }
    }
  }
}
