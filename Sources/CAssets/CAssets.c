// Written by Scripts/embed-assets: run it after a file in `assets` is added, renamed or removed.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "CAssets.h"

static const unsigned char file0[] = {
#embed "../../assets/LICENSE" suffix(, )
  0};
static const unsigned char file1[] = {
#embed "../../assets/THIRD-PARTY-NOTICES.txt" suffix(, )
  0};
static const unsigned char file2[] = {
#embed "../../assets/exports/playwright.ts" suffix(, )
  0};
static const unsigned char file3[] = {
#embed "../../assets/exports/pytest.py" suffix(, )
  0};
static const unsigned char file4[] = {
#embed "../../assets/exports/scenario.py" suffix(, )
  0};
static const unsigned char file5[] = {
#embed "../../assets/exports/uiautomator.kt" suffix(, )
  0};
static const unsigned char file6[] = {
#embed "../../assets/exports/xcuitest.swift" suffix(, )
  0};
static const unsigned char file7[] = {
#embed "../../assets/manual/description.md" suffix(, )
  0};
static const unsigned char file8[] = {
#embed "../../assets/manual/environment.md" suffix(, )
  0};
static const unsigned char file9[] = {
#embed "../../assets/manual/examples.md" suffix(, )
  0};
static const unsigned char file10[] = {
#embed "../../assets/manual/options.md" suffix(, )
  0};
static const unsigned char file11[] = {
#embed "../../assets/manual/scenario-format.md" suffix(, )
  0};
static const unsigned char file12[] = {
#embed "../../assets/manual/scenarios.md" suffix(, )
  0};
static const unsigned char file13[] = {
#embed "../../assets/manual/settings.md" suffix(, )
  0};
static const unsigned char file14[] = {
#embed "../../assets/manual/store.md" suffix(, )
  0};
static const unsigned char file15[] = {
#embed "../../assets/projects/no-callback/Notes.xcodeproj/project.pbxproj" suffix(, )
  0};
static const unsigned char file16[] = {
#embed "../../assets/projects/no-callback/Notes/AppDelegate.swift" suffix(, )
  0};
static const unsigned char file17[] = {
#embed "../../assets/projects/no-callback/Notes/Info.plist" suffix(, )
  0};
static const unsigned char file18[] = {
#embed "../../assets/projects/no-callback/Notes/Notes.entitlements" suffix(, )
  0};
static const unsigned char file19[] = {
#embed "../../assets/projects/no-callback/Notes/SignIn.swift" suffix(, )
  0};
static const unsigned char file20[] = {
#embed "../../assets/projects/no-callback/registration.json" suffix(, )
  0};
static const unsigned char file21[] = {
#embed "../../assets/projects/no-query-scheme/Expenses.xcodeproj/project.pbxproj" suffix(, )
  0};
static const unsigned char file22[] = {
#embed "../../assets/projects/no-query-scheme/Expenses/Expenses.entitlements" suffix(, )
  0};
static const unsigned char file23[] = {
#embed "../../assets/projects/no-query-scheme/Expenses/Info.plist" suffix(, )
  0};
static const unsigned char file24[] = {
#embed "../../assets/projects/no-query-scheme/Expenses/SceneDelegate.swift" suffix(, )
  0};
static const unsigned char file25[] = {
#embed "../../assets/projects/no-query-scheme/Expenses/SignIn.swift" suffix(, )
  0};
static const unsigned char file26[] = {
#embed "../../assets/projects/no-query-scheme/registration.json" suffix(, )
  0};
static const unsigned char file27[] = {
#embed "../../assets/projects/unused-entitlements/Travel.xcodeproj/project.pbxproj" suffix(, )
  0};
static const unsigned char file28[] = {
#embed "../../assets/projects/unused-entitlements/Travel/Info.plist" suffix(, )
  0};
static const unsigned char file29[] = {
#embed "../../assets/projects/unused-entitlements/Travel/SceneDelegate.swift" suffix(, )
  0};
static const unsigned char file30[] = {
#embed "../../assets/projects/unused-entitlements/Travel/SignIn.swift" suffix(, )
  0};
static const unsigned char file31[] = {
#embed "../../assets/projects/unused-entitlements/Travel/Travel.entitlements" suffix(, )
  0};
static const unsigned char file32[] = {
#embed "../../assets/projects/unused-entitlements/registration.json" suffix(, )
  0};
static const unsigned char file33[] = {
#embed "../../assets/reference/aadsts.tsv" suffix(, )
  0};
static const unsigned char file34[] = {
#embed "../../assets/reference/adal.tsv" suffix(, )
  0};
static const unsigned char file35[] = {
#embed "../../assets/reference/b2c.tsv" suffix(, )
  0};
static const unsigned char file36[] = {
#embed "../../assets/reference/behaviour.tsv" suffix(, )
  0};
static const unsigned char file37[] = {
#embed "../../assets/reference/callers.tsv" suffix(, )
  0};
static const unsigned char file38[] = {
#embed "../../assets/reference/claims.tsv" suffix(, )
  0};
static const unsigned char file39[] = {
#embed "../../assets/reference/documents.tsv" suffix(, )
  0};
static const unsigned char file40[] = {
#embed "../../assets/reference/graph-permissions.txt" suffix(, )
  0};
static const unsigned char file41[] = {
#embed "../../assets/reference/identityCore.tsv" suffix(, )
  0};
static const unsigned char file42[] = {
#embed "../../assets/reference/keychain.tsv" suffix(, )
  0};
static const unsigned char file43[] = {
#embed "../../assets/reference/libraries.tsv" suffix(, )
  0};
static const unsigned char file44[] = {
#embed "../../assets/reference/library.tsv" suffix(, )
  0};
static const unsigned char file45[] = {
#embed "../../assets/reference/linuxBroker.tsv" suffix(, )
  0};
static const unsigned char file46[] = {
#embed "../../assets/reference/log-sentences.tsv" suffix(, )
  0};
static const unsigned char file47[] = {
#embed "../../assets/reference/message.tsv" suffix(, )
  0};
static const unsigned char file48[] = {
#embed "../../assets/reference/microsoft-apis.tsv" suffix(, )
  0};
static const unsigned char file49[] = {
#embed "../../assets/reference/msal.tsv" suffix(, )
  0};
static const unsigned char file50[] = {
#embed "../../assets/reference/msalInternal.tsv" suffix(, )
  0};
static const unsigned char file51[] = {
#embed "../../assets/reference/network.tsv" suffix(, )
  0};
static const unsigned char file52[] = {
#embed "../../assets/reference/oauth.tsv" suffix(, )
  0};
static const unsigned char file53[] = {
#embed "../../assets/reference/outside.tsv" suffix(, )
  0};
static const unsigned char file54[] = {
#embed "../../assets/reference/recording-advice.tsv" suffix(, )
  0};
static const unsigned char file55[] = {
#embed "../../assets/reference/sentences.tsv" suffix(, )
  0};
static const unsigned char file56[] = {
#embed "../../assets/reference/state.tsv" suffix(, )
  0};
static const unsigned char file57[] = {
#embed "../../assets/reference/subjects.tsv" suffix(, )
  0};
static const unsigned char file58[] = {
#embed "../../assets/reference/term.tsv" suffix(, )
  0};
static const unsigned char file59[] = {
#embed "../../assets/reference/token-claims.tsv" suffix(, )
  0};
static const unsigned char file60[] = {
#embed "../../assets/reference/webSession.tsv" suffix(, )
  0};
static const unsigned char file61[] = {
#embed "../../assets/reference/windows.tsv" suffix(, )
  0};
static const unsigned char file62[] = {
#embed "../../assets/reference/words.tsv" suffix(, )
  0};
static const unsigned char file63[] = {
#embed "../../assets/scenarios/A1-sign-in-in-the-app.yaml" suffix(, )
  0};
static const unsigned char file64[] = {
#embed "../../assets/scenarios/A2-no-broker-no-access.yaml" suffix(, )
  0};
static const unsigned char file65[] = {
#embed "../../assets/scenarios/A3-broker-meets-the-policies.yaml" suffix(, )
  0};
static const unsigned char file66[] = {
#embed "../../assets/scenarios/A4-broker-by-the-administrator.yaml" suffix(, )
  0};
static const unsigned char file67[] = {
#embed "../../assets/scenarios/A4-broker-from-the-store.yaml" suffix(, )
  0};
static const unsigned char file68[] = {
#embed "../../assets/scenarios/A5-picker-on-android.yaml" suffix(, )
  0};
static const unsigned char file69[] = {
#embed "../../assets/scenarios/A5-picker-on-ios.yaml" suffix(, )
  0};
static const unsigned char file70[] = {
#embed "../../assets/scenarios/A5-picker-on-windows.yaml" suffix(, )
  0};
static const unsigned char file71[] = {
#embed "../../assets/scenarios/A6-invoked-by-itself.yaml" suffix(, )
  0};
static const unsigned char file72[] = {
#embed "../../assets/scenarios/B1-the-system-says-who-calls.yaml" suffix(, )
  0};
static const unsigned char file73[] = {
#embed "../../assets/scenarios/B2-spoofed-request.yaml" suffix(, )
  0};
static const unsigned char file74[] = {
#embed "../../assets/scenarios/B3-scheme-collision.yaml" suffix(, )
  0};
static const unsigned char file75[] = {
#embed "../../assets/scenarios/B4-developer-chooses.yaml" suffix(, )
  0};
static const unsigned char file76[] = {
#embed "../../assets/scenarios/C1-four-conditions-hold.yaml" suffix(, )
  0};
static const unsigned char file77[] = {
#embed "../../assets/scenarios/C2-one-condition-broken.yaml" suffix(, )
  0};
static const unsigned char file78[] = {
#embed "../../assets/scenarios/C3-redirect-uris-under-one-client.yaml" suffix(, )
  0};
static const unsigned char file79[] = {
#embed "../../assets/scenarios/C4-any-redirect-uri-without-broker.yaml" suffix(, )
  0};
static const unsigned char file80[] = {
#embed "../../assets/scenarios/C5-default-group-ios.yaml" suffix(, )
  0};
static const unsigned char file81[] = {
#embed "../../assets/scenarios/C5-default-group-macos.yaml" suffix(, )
  0};
static const unsigned char file82[] = {
#embed "../../assets/scenarios/C5-entitlements-and-settings.yaml" suffix(, )
  0};
static const unsigned char file83[] = {
#embed "../../assets/scenarios/C6-one-app-removes-for-all.yaml" suffix(, )
  0};
static const unsigned char file84[] = {
#embed "../../assets/scenarios/C7-one-list-of-users.yaml" suffix(, )
  0};
static const unsigned char file85[] = {
#embed "../../assets/scenarios/C8-refresh-token-of-another-app.yaml" suffix(, )
  0};
static const unsigned char file86[] = {
#embed "../../assets/scenarios/D1-broker-mode-in-code.yaml" suffix(, )
  0};
static const unsigned char file87[] = {
#embed "../../assets/scenarios/D2-scheme-not-registered.yaml" suffix(, )
  0};
static const unsigned char file88[] = {
#embed "../../assets/scenarios/D3-redirect-uri-of-another-bundle.yaml" suffix(, )
  0};
static const unsigned char file89[] = {
#embed "../../assets/scenarios/D4-second-redirect-uri.yaml" suffix(, )
  0};
static const unsigned char file90[] = {
#embed "../../assets/scenarios/D5-query-schemes.yaml" suffix(, )
  0};
static const unsigned char file91[] = {
#embed "../../assets/scenarios/D6-answer-not-handed-on.yaml" suffix(, )
  0};
static const unsigned char file92[] = {
#embed "../../assets/scenarios/D6-answers-tampered-with.yaml" suffix(, )
  0};
static const unsigned char file93[] = {
#embed "../../assets/scenarios/D7-another-vendors-app.yaml" suffix(, )
  0};
static const unsigned char file94[] = {
#embed "../../assets/scenarios/E1-silent-sso-between-apps.yaml" suffix(, )
  0};
static const unsigned char file95[] = {
#embed "../../assets/scenarios/E2-device-in-the-directory.yaml" suffix(, )
  0};
static const unsigned char file96[] = {
#embed "../../assets/scenarios/E3-safari-session-on-macos.yaml" suffix(, )
  0};
static const unsigned char file97[] = {
#embed "../../assets/scenarios/E3-shared-browser-session.yaml" suffix(, )
  0};
static const unsigned char file98[] = {
#embed "../../assets/scenarios/E3-sign-in-in-safari.yaml" suffix(, )
  0};
static const unsigned char file99[] = {
#embed "../../assets/scenarios/E4-private-web-view.yaml" suffix(, )
  0};
static const unsigned char file100[] = {
#embed "../../assets/scenarios/E5-adal-and-msal-of-one-publisher.yaml" suffix(, )
  0};
static const unsigned char file101[] = {
#embed "../../assets/scenarios/E6-redirect-uri-format.yaml" suffix(, )
  0};
static const unsigned char file102[] = {
#embed "../../assets/scenarios/E7-no-broker-on-macos.yaml" suffix(, )
  0};
static const unsigned char file103[] = {
#embed "../../assets/scenarios/F1-adal-2.7-reads-msal.yaml" suffix(, )
  0};
static const unsigned char file104[] = {
#embed "../../assets/scenarios/F2-adal-2.6-to-msal.yaml" suffix(, )
  0};
static const unsigned char file105[] = {
#embed "../../assets/scenarios/F3-identifiers.yaml" suffix(, )
  0};
static const unsigned char file106[] = {
#embed "../../assets/scenarios/F4-msal-to-adal.yaml" suffix(, )
  0};
static const unsigned char file107[] = {
#embed "../../assets/scenarios/F5-adal-to-msal.yaml" suffix(, )
  0};
static const unsigned char file108[] = {
#embed "../../assets/scenarios/F6-none-one-several.yaml" suffix(, )
  0};
static const unsigned char file109[] = {
#embed "../../assets/scenarios/android-broker-keeps-tokens.yaml" suffix(, )
  0};
static const unsigned char file110[] = {
#embed "../../assets/scenarios/blank.yaml" suffix(, )
  0};
static const unsigned char file111[] = {
#embed "../../assets/scenarios/client-mismatch.yaml" suffix(, )
  0};
static const unsigned char file112[] = {
#embed "../../assets/scenarios/contoso-suite-broken-client-id.yaml" suffix(, )
  0};
static const unsigned char file113[] = {
#embed "../../assets/scenarios/contoso-suite-broken-entitlement.yaml" suffix(, )
  0};
static const unsigned char file114[] = {
#embed "../../assets/scenarios/contoso-suite-broken-sharing-group.yaml" suffix(, )
  0};
static const unsigned char file115[] = {
#embed "../../assets/scenarios/contoso-suite-broken-team.yaml" suffix(, )
  0};
static const unsigned char file116[] = {
#embed "../../assets/scenarios/contoso-suite.yaml" suffix(, )
  0};
static const unsigned char file117[] = {
#embed "../../assets/scenarios/family-of-clients.yaml" suffix(, )
  0};
static const unsigned char file118[] = {
#embed "../../assets/scenarios/linux-broker-refused.yaml" suffix(, )
  0};
static const unsigned char file119[] = {
#embed "../../assets/scenarios/linux-broker.yaml" suffix(, )
  0};
static const unsigned char file120[] = {
#embed "../../assets/scenarios/macos-adal-archive.yaml" suffix(, )
  0};
static const unsigned char file121[] = {
#embed "../../assets/scenarios/mcp-entra.yaml" suffix(, )
  0};
static const unsigned char file122[] = {
#embed "../../assets/scenarios/own-app-answer-lost.yaml" suffix(, )
  0};
static const unsigned char file123[] = {
#embed "../../assets/scenarios/own-app-group-missing.yaml" suffix(, )
  0};
static const unsigned char file124[] = {
#embed "../../assets/scenarios/own-app-query-scheme.yaml" suffix(, )
  0};
static const unsigned char file125[] = {
#embed "../../assets/scenarios/platform-sso-on-macos.yaml" suffix(, )
  0};
static const unsigned char file126[] = {
#embed "../../assets/scenarios/programs.yaml" suffix(, )
  0};
static const unsigned char file127[] = {
#embed "../../assets/scenarios/real-clients.yaml" suffix(, )
  0};
static const unsigned char file128[] = {
#embed "../../assets/scenarios/refused-by-policy.yaml" suffix(, )
  0};
static const unsigned char file129[] = {
#embed "../../assets/scenarios/refused-person.yaml" suffix(, )
  0};
static const unsigned char file130[] = {
#embed "../../assets/scenarios/refused-registration.yaml" suffix(, )
  0};
static const unsigned char file131[] = {
#embed "../../assets/scenarios/shared-removal.yaml" suffix(, )
  0};
static const unsigned char file132[] = {
#embed "../../assets/scenarios/sso-extension-in-the-browser.yaml" suffix(, )
  0};
static const unsigned char file133[] = {
#embed "../../assets/scenarios/sso-extension-on-ios.yaml" suffix(, )
  0};
static const unsigned char file134[] = {
#embed "../../assets/scenarios/sso-extension-on-macos.yaml" suffix(, )
  0};
static const unsigned char file135[] = {
#embed "../../assets/scenarios/two-vendors.yaml" suffix(, )
  0};
static const unsigned char file136[] = {
#embed "../../assets/witnesses.json" suffix(, )
  0};

static const struct ssoterm_asset assets[] = {
  {"LICENSE", file0, sizeof file0 - 1},
  {"THIRD-PARTY-NOTICES.txt", file1, sizeof file1 - 1},
  {"exports/playwright.ts", file2, sizeof file2 - 1},
  {"exports/pytest.py", file3, sizeof file3 - 1},
  {"exports/scenario.py", file4, sizeof file4 - 1},
  {"exports/uiautomator.kt", file5, sizeof file5 - 1},
  {"exports/xcuitest.swift", file6, sizeof file6 - 1},
  {"manual/description.md", file7, sizeof file7 - 1},
  {"manual/environment.md", file8, sizeof file8 - 1},
  {"manual/examples.md", file9, sizeof file9 - 1},
  {"manual/options.md", file10, sizeof file10 - 1},
  {"manual/scenario-format.md", file11, sizeof file11 - 1},
  {"manual/scenarios.md", file12, sizeof file12 - 1},
  {"manual/settings.md", file13, sizeof file13 - 1},
  {"manual/store.md", file14, sizeof file14 - 1},
  {"projects/no-callback/Notes.xcodeproj/project.pbxproj", file15, sizeof file15 - 1},
  {"projects/no-callback/Notes/AppDelegate.swift", file16, sizeof file16 - 1},
  {"projects/no-callback/Notes/Info.plist", file17, sizeof file17 - 1},
  {"projects/no-callback/Notes/Notes.entitlements", file18, sizeof file18 - 1},
  {"projects/no-callback/Notes/SignIn.swift", file19, sizeof file19 - 1},
  {"projects/no-callback/registration.json", file20, sizeof file20 - 1},
  {"projects/no-query-scheme/Expenses.xcodeproj/project.pbxproj", file21, sizeof file21 - 1},
  {"projects/no-query-scheme/Expenses/Expenses.entitlements", file22, sizeof file22 - 1},
  {"projects/no-query-scheme/Expenses/Info.plist", file23, sizeof file23 - 1},
  {"projects/no-query-scheme/Expenses/SceneDelegate.swift", file24, sizeof file24 - 1},
  {"projects/no-query-scheme/Expenses/SignIn.swift", file25, sizeof file25 - 1},
  {"projects/no-query-scheme/registration.json", file26, sizeof file26 - 1},
  {"projects/unused-entitlements/Travel.xcodeproj/project.pbxproj", file27, sizeof file27 - 1},
  {"projects/unused-entitlements/Travel/Info.plist", file28, sizeof file28 - 1},
  {"projects/unused-entitlements/Travel/SceneDelegate.swift", file29, sizeof file29 - 1},
  {"projects/unused-entitlements/Travel/SignIn.swift", file30, sizeof file30 - 1},
  {"projects/unused-entitlements/Travel/Travel.entitlements", file31, sizeof file31 - 1},
  {"projects/unused-entitlements/registration.json", file32, sizeof file32 - 1},
  {"reference/aadsts.tsv", file33, sizeof file33 - 1},
  {"reference/adal.tsv", file34, sizeof file34 - 1},
  {"reference/b2c.tsv", file35, sizeof file35 - 1},
  {"reference/behaviour.tsv", file36, sizeof file36 - 1},
  {"reference/callers.tsv", file37, sizeof file37 - 1},
  {"reference/claims.tsv", file38, sizeof file38 - 1},
  {"reference/documents.tsv", file39, sizeof file39 - 1},
  {"reference/graph-permissions.txt", file40, sizeof file40 - 1},
  {"reference/identityCore.tsv", file41, sizeof file41 - 1},
  {"reference/keychain.tsv", file42, sizeof file42 - 1},
  {"reference/libraries.tsv", file43, sizeof file43 - 1},
  {"reference/library.tsv", file44, sizeof file44 - 1},
  {"reference/linuxBroker.tsv", file45, sizeof file45 - 1},
  {"reference/log-sentences.tsv", file46, sizeof file46 - 1},
  {"reference/message.tsv", file47, sizeof file47 - 1},
  {"reference/microsoft-apis.tsv", file48, sizeof file48 - 1},
  {"reference/msal.tsv", file49, sizeof file49 - 1},
  {"reference/msalInternal.tsv", file50, sizeof file50 - 1},
  {"reference/network.tsv", file51, sizeof file51 - 1},
  {"reference/oauth.tsv", file52, sizeof file52 - 1},
  {"reference/outside.tsv", file53, sizeof file53 - 1},
  {"reference/recording-advice.tsv", file54, sizeof file54 - 1},
  {"reference/sentences.tsv", file55, sizeof file55 - 1},
  {"reference/state.tsv", file56, sizeof file56 - 1},
  {"reference/subjects.tsv", file57, sizeof file57 - 1},
  {"reference/term.tsv", file58, sizeof file58 - 1},
  {"reference/token-claims.tsv", file59, sizeof file59 - 1},
  {"reference/webSession.tsv", file60, sizeof file60 - 1},
  {"reference/windows.tsv", file61, sizeof file61 - 1},
  {"reference/words.tsv", file62, sizeof file62 - 1},
  {"scenarios/A1-sign-in-in-the-app.yaml", file63, sizeof file63 - 1},
  {"scenarios/A2-no-broker-no-access.yaml", file64, sizeof file64 - 1},
  {"scenarios/A3-broker-meets-the-policies.yaml", file65, sizeof file65 - 1},
  {"scenarios/A4-broker-by-the-administrator.yaml", file66, sizeof file66 - 1},
  {"scenarios/A4-broker-from-the-store.yaml", file67, sizeof file67 - 1},
  {"scenarios/A5-picker-on-android.yaml", file68, sizeof file68 - 1},
  {"scenarios/A5-picker-on-ios.yaml", file69, sizeof file69 - 1},
  {"scenarios/A5-picker-on-windows.yaml", file70, sizeof file70 - 1},
  {"scenarios/A6-invoked-by-itself.yaml", file71, sizeof file71 - 1},
  {"scenarios/B1-the-system-says-who-calls.yaml", file72, sizeof file72 - 1},
  {"scenarios/B2-spoofed-request.yaml", file73, sizeof file73 - 1},
  {"scenarios/B3-scheme-collision.yaml", file74, sizeof file74 - 1},
  {"scenarios/B4-developer-chooses.yaml", file75, sizeof file75 - 1},
  {"scenarios/C1-four-conditions-hold.yaml", file76, sizeof file76 - 1},
  {"scenarios/C2-one-condition-broken.yaml", file77, sizeof file77 - 1},
  {"scenarios/C3-redirect-uris-under-one-client.yaml", file78, sizeof file78 - 1},
  {"scenarios/C4-any-redirect-uri-without-broker.yaml", file79, sizeof file79 - 1},
  {"scenarios/C5-default-group-ios.yaml", file80, sizeof file80 - 1},
  {"scenarios/C5-default-group-macos.yaml", file81, sizeof file81 - 1},
  {"scenarios/C5-entitlements-and-settings.yaml", file82, sizeof file82 - 1},
  {"scenarios/C6-one-app-removes-for-all.yaml", file83, sizeof file83 - 1},
  {"scenarios/C7-one-list-of-users.yaml", file84, sizeof file84 - 1},
  {"scenarios/C8-refresh-token-of-another-app.yaml", file85, sizeof file85 - 1},
  {"scenarios/D1-broker-mode-in-code.yaml", file86, sizeof file86 - 1},
  {"scenarios/D2-scheme-not-registered.yaml", file87, sizeof file87 - 1},
  {"scenarios/D3-redirect-uri-of-another-bundle.yaml", file88, sizeof file88 - 1},
  {"scenarios/D4-second-redirect-uri.yaml", file89, sizeof file89 - 1},
  {"scenarios/D5-query-schemes.yaml", file90, sizeof file90 - 1},
  {"scenarios/D6-answer-not-handed-on.yaml", file91, sizeof file91 - 1},
  {"scenarios/D6-answers-tampered-with.yaml", file92, sizeof file92 - 1},
  {"scenarios/D7-another-vendors-app.yaml", file93, sizeof file93 - 1},
  {"scenarios/E1-silent-sso-between-apps.yaml", file94, sizeof file94 - 1},
  {"scenarios/E2-device-in-the-directory.yaml", file95, sizeof file95 - 1},
  {"scenarios/E3-safari-session-on-macos.yaml", file96, sizeof file96 - 1},
  {"scenarios/E3-shared-browser-session.yaml", file97, sizeof file97 - 1},
  {"scenarios/E3-sign-in-in-safari.yaml", file98, sizeof file98 - 1},
  {"scenarios/E4-private-web-view.yaml", file99, sizeof file99 - 1},
  {"scenarios/E5-adal-and-msal-of-one-publisher.yaml", file100, sizeof file100 - 1},
  {"scenarios/E6-redirect-uri-format.yaml", file101, sizeof file101 - 1},
  {"scenarios/E7-no-broker-on-macos.yaml", file102, sizeof file102 - 1},
  {"scenarios/F1-adal-2.7-reads-msal.yaml", file103, sizeof file103 - 1},
  {"scenarios/F2-adal-2.6-to-msal.yaml", file104, sizeof file104 - 1},
  {"scenarios/F3-identifiers.yaml", file105, sizeof file105 - 1},
  {"scenarios/F4-msal-to-adal.yaml", file106, sizeof file106 - 1},
  {"scenarios/F5-adal-to-msal.yaml", file107, sizeof file107 - 1},
  {"scenarios/F6-none-one-several.yaml", file108, sizeof file108 - 1},
  {"scenarios/android-broker-keeps-tokens.yaml", file109, sizeof file109 - 1},
  {"scenarios/blank.yaml", file110, sizeof file110 - 1},
  {"scenarios/client-mismatch.yaml", file111, sizeof file111 - 1},
  {"scenarios/contoso-suite-broken-client-id.yaml", file112, sizeof file112 - 1},
  {"scenarios/contoso-suite-broken-entitlement.yaml", file113, sizeof file113 - 1},
  {"scenarios/contoso-suite-broken-sharing-group.yaml", file114, sizeof file114 - 1},
  {"scenarios/contoso-suite-broken-team.yaml", file115, sizeof file115 - 1},
  {"scenarios/contoso-suite.yaml", file116, sizeof file116 - 1},
  {"scenarios/family-of-clients.yaml", file117, sizeof file117 - 1},
  {"scenarios/linux-broker-refused.yaml", file118, sizeof file118 - 1},
  {"scenarios/linux-broker.yaml", file119, sizeof file119 - 1},
  {"scenarios/macos-adal-archive.yaml", file120, sizeof file120 - 1},
  {"scenarios/mcp-entra.yaml", file121, sizeof file121 - 1},
  {"scenarios/own-app-answer-lost.yaml", file122, sizeof file122 - 1},
  {"scenarios/own-app-group-missing.yaml", file123, sizeof file123 - 1},
  {"scenarios/own-app-query-scheme.yaml", file124, sizeof file124 - 1},
  {"scenarios/platform-sso-on-macos.yaml", file125, sizeof file125 - 1},
  {"scenarios/programs.yaml", file126, sizeof file126 - 1},
  {"scenarios/real-clients.yaml", file127, sizeof file127 - 1},
  {"scenarios/refused-by-policy.yaml", file128, sizeof file128 - 1},
  {"scenarios/refused-person.yaml", file129, sizeof file129 - 1},
  {"scenarios/refused-registration.yaml", file130, sizeof file130 - 1},
  {"scenarios/shared-removal.yaml", file131, sizeof file131 - 1},
  {"scenarios/sso-extension-in-the-browser.yaml", file132, sizeof file132 - 1},
  {"scenarios/sso-extension-on-ios.yaml", file133, sizeof file133 - 1},
  {"scenarios/sso-extension-on-macos.yaml", file134, sizeof file134 - 1},
  {"scenarios/two-vendors.yaml", file135, sizeof file135 - 1},
  {"witnesses.json", file136, sizeof file136 - 1},
};

const struct ssoterm_asset *ssoterm_assets(size_t *count) {
  *count = sizeof assets / sizeof *assets;
  return assets;
}
