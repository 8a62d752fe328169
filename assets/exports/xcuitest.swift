{{head}}
import XCTest

final class ReproductionTests: XCTestCase {
  func testTheCallGetsAToken() {
    let app = XCUIApplication(bundleIdentifier: {{bundleID}})
    app.launchEnvironment["SSOTERM_AUTHORITY"] = {{authority}}
    app.launch()
    app.buttons["Sign in"].tap()
    let alert = XCUIApplication(bundleIdentifier: "com.apple.springboard").buttons["Continue"]
    if alert.waitForExistence(timeout: 10) { alert.tap() }
    let pages = app.webViews
    let username = pages.textFields["Username"]
    XCTAssertTrue(username.waitForExistence(timeout: 10))
    username.tap()
    username.typeText({{username}})
    pages.buttons["Next"].tap()
    let password = pages.secureTextFields["Password"]
    XCTAssertTrue(password.waitForExistence(timeout: 10))
    password.tap()
    password.typeText({{password}})
    pages.buttons["Sign in"].tap()
    let accept = pages.buttons["Accept"]
    if accept.waitForExistence(timeout: 5) { accept.tap() }
    XCTAssertFalse(pages.staticTexts.containing(NSPredicate(format: "label CONTAINS 'AADSTS'")).firstMatch.exists)
  }
}
