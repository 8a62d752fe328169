// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target of the model, in its folder of `Sources/SSOModel`.
func model(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/SSOModel/" + folder, swiftSettings: strict)
}

/// Tests of one target, in a folder of their own.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let crypto: [Target.Dependency] = [
  .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
]

let package = Package(
  name: "SSOTerm",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ssoterm", targets: ["SSOTerm"]),
    .executable(name: "ssoterm-bench", targets: ["ssoterm-bench"]),
    .library(
      name: "SSOModel",
      targets: [
        "SSOCore", "KeyedArchive", "SSOReference", "SSOKeychain", "SSODevice", "SSOProvider", "SSOStore",
        "SSOInterop", "SSOLab", "SSOReading", "SSODoctor", "SSOScenarios",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    .target(
      name: "CNcurses",
      cSettings: [
        .define("_XOPEN_SOURCE_EXTENDED", to: "1"), .define("NCURSES_WIDECHAR", to: "1"),
        .define("_GNU_SOURCE", .when(platforms: [.linux])),
      ],
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("tinfo", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(name: "SafeText", swiftSettings: strict),
    .target(name: "TerminalUI", dependencies: ["CNcurses", "SafeText"], swiftSettings: strict),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    model("SSOReference", "Reference", []),
    model("SSOCore", "Core", ["SafeText", "SSOReference"] + crypto),
    model("KeyedArchive", "KeyedArchive", ["SSOCore"]),
    model("SSOKeychain", "Keychain", ["SSOCore", "SSOReference", "KeyedArchive"]),
    model("SSODevice", "Device", ["SSOKeychain"] + crypto),
    model(
      "SSOProvider", "Provider",
      [
        "SSOCore", "SSOReference", .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ] + crypto),
    model("SSOStore", "Store", ["SSOKeychain", "SafeText", "CSQLite"] + crypto),
    model("SSOInterop", "Interop", ["SafeText", "SSOKeychain", "SSOReference"]),
    model("SSOLab", "Lab", ["SSODevice", "SSOProvider", "SSOStore", "SSOInterop", "SSOReference"]),
    model("SSOReading", "Reading", ["SSOLab"] + crypto),
    model("SSODoctor", "Doctor", ["SSOLab", "SSOReference", "KeyedArchive", "CZlib"] + crypto),
    model("SSOScenarios", "Scenarios", ["SSOLab", .product(name: "Yams", package: "Yams")]),

    .target(
      name: "SSOServer",
      dependencies: [
        "SafeText", "SSOLab",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    .target(name: "SSOBus", dependencies: ["SSOLab"], swiftSettings: strict),
    .target(
      name: "SSOTermApp",
      dependencies: [
        "SafeText", "SSOBus", "SSODoctor", "SSOReading", "SSOScenarios", "SSOServer", "TerminalUI",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "SSOTerm",
      dependencies: [
        "SafeText", "SSOTermApp", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "ssoterm-bench",
      dependencies: ["SSOScenarios", "CSQLite"], swiftSettings: strict),

    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .target(
      name: "TestSamples", path: "Tests/TestSamples", resources: [.copy("Samples")], swiftSettings: strict),
    .target(
      name: "ProviderTestSupport", dependencies: ["SSOProvider"], path: "Tests/ProviderTestSupport",
      swiftSettings: strict),
    .target(
      name: "LabTestSupport", dependencies: ["SSOScenarios"], path: "Tests/LabTestSupport",
      swiftSettings: strict),
    .target(
      name: "FuzzReaders", dependencies: ["SSOScenarios", "SSOReading", "LabTestSupport"],
      path: "Tests/Fuzz/Readers", swiftSettings: strict),
    tests("FuzzReadersTests", ["FuzzReaders", "TestSamples"]),
    tests("SafeTextTests", ["SafeText"]),
    tests("TerminalUITests", ["TerminalUI"]),
    tests("SSOCoreTests", ["SSOKeychain"]),
    tests("KeyedArchiveTests", ["SSOKeychain", "TestSamples"]),
    tests("SSOReferenceTests", ["SSOReference"]),
    tests("SSOKeychainTests", ["SSOKeychain", "TestSamples"]),
    tests("SSODeviceTests", ["SSOScenarios", "LabTestSupport"]),
    tests("SSOProviderTests", ["SSOProvider", "SSOStore", "ProviderTestSupport", "TestSamples"]),
    tests("SSOStoreTests", ["SSOStore", "LabTestSupport"]),
    tests("SSOInteropTests", ["SSOScenarios", "TestSamples"]),
    tests("SSOReadingTests", ["SSOReading", "TestSamples"]),
    tests("SSOLabTests", ["SSOScenarios", "LabTestSupport", "ProviderTestSupport", "TestSamples"]),
    tests("SSODoctorTests", ["SSODoctor", "TestSamples"] + crypto),
    tests("SSOScenariosTests", ["SSOScenarios", "LabTestSupport", "ProviderTestSupport"]),
    .testTarget(
      name: "SSOServerTests",
      dependencies: [
        "SSOServer", "SSOScenarios", "LabTestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    tests("SSOBusTests", ["SSOBus", "SSOScenarios", "LabTestSupport"]),
    tests("SSOTermAppTests", ["SSOTermApp", "LabTestSupport", "TestSamples"], exclude: ["Goldens"]),
    tests("SSOTermTests", ["SSOTerm", "CVTerm", "LabTestSupport"]),
  ],
  swiftLanguageModes: [.v6])

// libFuzzer has a `main` of its own, so only Scripts/fuzz links this program.
if Context.environment["SSOTERM_FUZZER"] != nil {
  package.targets.append(
    .executableTarget(
      name: "ssoterm-fuzz", dependencies: ["FuzzReaders"], path: "Tests/Fuzz/Program", swiftSettings: strict))
}
