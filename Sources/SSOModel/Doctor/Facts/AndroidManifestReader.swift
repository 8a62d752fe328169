/// A reader that extracts what a sign-in needs from an AndroidManifest.xml, as text or in the binary form of an APK.
struct AndroidManifestReader {
  /// MSAL's activity, and the activity of apps that receive the response in the task that started the request.
  private static let activities = [
    "com.microsoft.identity.client.BrowserTabActivity",
    "com.microsoft.identity.client.CurrentTaskBrowserTabActivity",
  ]

  /// Adds the values of a manifest to the facts.
  ///
  /// `values` replaces `${applicationId}` and other Gradle placeholders.
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

  /// Returns a filter for each `<data>` of an intent filter.
  ///
  /// Android combines the parts of several `<data>` elements, but MSAL's filters have only one.
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
