/// A configuration profile of the Enterprise SSO plug-in as Microsoft documents it (docs/behaviour/broker.md §13).
package enum ProfileFixture {
  package static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>PayloadDisplayName</key><string>SSO</string>
      <key>PayloadContent</key><array><dict>
        <key>PayloadType</key><string>com.apple.extensiblesso</string>
        <key>ExtensionIdentifier</key><string>com.microsoft.CompanyPortalMac.ssoextension</string>
        <key>TeamIdentifier</key><string>UBF8T346G9</string>
        <key>Type</key><string>Redirect</string>
        <key>URLs</key><array>
          <string>https://login.microsoftonline.com</string>
          <string>https://sts.windows.net</string>
        </array>
        <key>ExtensionData</key><dict>
          <key>AppPrefixAllowList</key><string>com.apple.,com.microsoft.</string>
        </dict>
      </dict></array>
    </dict></plist>
    """
}
