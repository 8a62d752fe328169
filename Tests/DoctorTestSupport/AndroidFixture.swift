import Foundation
import SSODoctor

/// A correct Gradle project with one app module.
package struct AndroidFixture {
  package static let hash = "1wIqXSqBj7w+h11ZifsnqwgyKrY="
  package static let encodedHash = "1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D"
  package static let clientID = "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c"

  package var files: [String: String] = [
    "app/build.gradle": """
    android {
      defaultConfig {
        applicationId "com.contoso.notes"
        targetSdkVersion 34
      }
    }
    dependencies { implementation libs.msal }
    """,
    "app/src/main/java/Account.kt": "import com.microsoft.identity.client.IAccount",
    "app/src/main/AndroidManifest.xml": """
    <?xml version="1.0" encoding="utf-8"?>
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application android:label="Notes">
        <activity
          android:name="com.microsoft.identity.client.BrowserTabActivity"
          android:exported="true">
          <intent-filter>
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data
              android:scheme="msauth"
              android:host="${applicationId}"
              android:path="/\(hash)" />
          </intent-filter>
        </activity>
      </application>
    </manifest>
    """,
    "app/src/main/res/raw/auth_config.json": """
    {
      "client_id": "\(clientID)",
      "redirect_uri": "msauth://com.contoso.notes/\(encodedHash)",
      "broker_redirect_uri_registered": true,
      "authorities": [
        { "type": "AAD", "audience": { "type": "AzureADMultipleOrgs" }, "default": true }
      ]
    }
    """,
    "registration.json": """
    {
      "appId": "\(clientID)",
      "name": "Notes",
      "allowPublicClient": true,
      "replyUrlsWithType": [
        { "url": "msauth://com.contoso.notes/\(encodedHash)", "type": "InstalledClient" }
      ]
    }
    """,
  ]

  package static let configuration = "app/src/main/res/raw/auth_config.json"
  package static let manifest = "app/src/main/AndroidManifest.xml"

  package init() {}

  package mutating func replace(_ old: String, with new: String, in file: String) {
    precondition(files[file]?.contains(old) == true, "\(old) is not in \(file)")
    files[file] = files[file]?.replacing(old, with: new)
  }

  package func diagnosis() throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0, $0 + "/registration.json"]) }
  }
}

/// Returns a manifest in which the app declares an activity for the browser's response, with the data of its filter.
package func androidManifest(activity: String, data: String) -> String {
  """
  <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
    <activity android:name="\(activity)" android:exported="true">
      <intent-filter>
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.DEFAULT" />
        <category android:name="android.intent.category.BROWSABLE" />
        \(data)
      </intent-filter>
    </activity>
  </application></manifest>
  """
}

/// Writes texts into a folder that is deleted afterwards.
package func withFolder<T>(of files: [String: String], _ body: (String) throws -> T) throws -> T {
  try withFolder(of: files.mapValues { Data($0.utf8) }, body)
}

/// Writes files into a folder that is deleted afterwards.
package func withFolder<T>(of files: [String: Data], _ body: (String) throws -> T) throws -> T {
  let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  for (path, data) in files {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }
  return try body(folder.path)
}
