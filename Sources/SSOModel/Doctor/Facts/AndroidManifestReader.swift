/// Takes from an AndroidManifest.xml what a sign-in needs, from its text or from the binary form of an APK.
struct AndroidManifestReader {
  /// Of MSAL, and of apps whose answer comes back into the task that asked.
  private static let activities = [
    "com.microsoft.identity.client.BrowserTabActivity",
    "com.microsoft.identity.client.CurrentTaskBrowserTabActivity",
  ]

  /// Adds what a manifest says to the facts; `values` replaces `${applicationId}` and other placeholders of Gradle.
  static func take(
    _ manifest: XMLElement, path: String, values: [String: String], into facts: inout AndroidFacts
  ) {
    facts.manifest = FilePlace(path, line: manifest.line)
    if let package = manifest["package"], facts.packageName == nil {
      facts.packageName = Found(package.value, FilePlace(path, line: package.line))
    }
    let sdk = manifest.elements("uses-sdk").first?["android:targetSdkVersion"]?.value
    facts.targetSDK = facts.targetSDK ?? sdk.flatMap { Int($0) }
    for application in manifest.elements("application") {
      for activity in application.elements("activity") {
        guard let name = activity["android:name"]?.value, activities.contains(name) else { continue }
        facts.activity = FilePlace(path, line: activity.line)
        facts.isExported = activity["android:exported"].map { $0.value == "true" }
        facts.filters += activity.elements("intent-filter").flatMap {
          filters(of: $0, path: path, values: values)
        }
      }
    }
  }

  /// Each `<data>` of a filter by itself: Android mixes their parts, and MSAL's filters have one.
  private static func filters(
    of filter: XMLElement, path: String, values: [String: String]
  ) -> [AndroidFacts.Filter] {
    func names(_ element: String) -> Set<String> {
      Set(filter.elements(element).compactMap { $0["android:name"]?.value })
    }
    let categories = names("category")
    let isComplete =
      names("action").contains("android.intent.action.VIEW")
      && categories.contains("android.intent.category.DEFAULT")
      && categories.contains("android.intent.category.BROWSABLE")
    return filter.elements("data").map { data in
      func value(_ name: String) -> String? {
        data["android:" + name].map { attribute in
          values.reduce(attribute.value) { $0.replacing("${\($1.key)}", with: $1.value) }
        }
      }
      return AndroidFacts.Filter(
        scheme: value("scheme"), host: value("host"),
        isHostTheApplicationID: data["android:host"]?.value == "${applicationId}", path: value("path"),
        isComplete: isComplete,
        place: FilePlace(path, line: data.line))
    }
  }
}
