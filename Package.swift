// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of targets that a user waits for once, not in a loop: smaller code, compiled faster.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// A target of the model, in its folder of `Sources/SSOModel`.
func model(
  _ name: String, _ folder: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies + ["Essentials"], path: "Sources/SSOModel/" + folder,
    swiftSettings: settings)
}

/// Tests of one target, in their own folder.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

#if os(macOS)
  let yamlPackage: String? = "yaml-0.1"  // Homebrew's folders are not among the compiler's.
#else
  let yamlPackage: String? = nil
#endif

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
        "SSOPostgreSQL",
        "SSOInterop", "SSOLab", "SSOReading", "SSODoctor", "SSOScenarios", "SSOReproduce",
      ]),
    .library(name: "FixedClock", type: .dynamic, targets: ["CFixedClock"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
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
    .target(name: "CKernel"),
    .target(name: "Essentials", swiftSettings: strict),
    .target(name: "SafeText", swiftSettings: strict),
    .target(name: "TerminalUI", dependencies: ["CNcurses", "SafeText"], swiftSettings: strict),
    .target(name: "CGlibcFloor"),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CYaml", pkgConfig: yamlPackage, providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CAssets"),
    .target(name: "Assets", dependencies: ["CAssets"], swiftSettings: strict),

    model("YAMLText", "YAMLText", ["CYaml"], settings: small),
    model("SSOReference", "Reference", ["Assets"]),
    model("SSOCore", "Core", ["CKernel", "SafeText", "SSOReference"] + crypto),
    model("KeyedArchive", "KeyedArchive", ["SSOCore"], settings: small),
    model("SSOKeychain", "Keychain", ["SSOCore", "SSOReference", "KeyedArchive"]),
    model("SSODevice", "Device", ["SSOCore", "SSOReference", "SSOKeychain"] + crypto, settings: small),
    model(
      "SSOProvider", "Provider",
      [
        "SafeText", "SSOCore", "SSOReference", .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ] + crypto),
    model(
      "SSOStore", "Store",
      ["CKernel", "SafeText", "SSOCore", "SSOReference", "SSOKeychain", "CSQLite"] + crypto),
    model("SSOPostgreSQL", "PostgreSQL", ["CKernel", "SSOCore", "SSOStore"], settings: small),
    model("SSOInterop", "Interop", ["SafeText", "SSOCore", "SSOKeychain", "SSOReference"], settings: small),
    model(
      "SSOLab", "Lab",
      [
        "KeyedArchive", "SSOCore", "SSODevice", "SSOInterop", "SSOKeychain", "SSOProvider", "SSOReference",
        "SSOStore",
      ],
      settings: small),
    model("SSOReading", "Reading", ["SafeText", "SSOCore", "SSOReference", "SSOProvider"] + crypto),
    model(
      "SSODoctor", "Doctor",
      [
        "SafeText", "SSOCore", "SSODevice", "SSOKeychain", "SSOProvider", "SSOReference", "KeyedArchive",
        "Assets",
        "CZlib", "YAMLText",
      ] + crypto,
      settings: small),
    model(
      "SSOScenarios", "Scenarios",
      [
        "Assets", "SSOCore", "SSODevice", "SSOKeychain", "SSOLab", "SSOProvider", "SSOReference", "SSOStore",
        "YAMLText",
      ],
      settings: small),
    model(
      "SSOReproduce", "Reproduce",
      [
        "SafeText", "SSOCore", "SSODevice", "SSODoctor", "SSOInterop", "SSOKeychain", "SSOLab", "SSOProvider",
        "SSOReading", "SSOReference", "SSOScenarios",
      ],
      settings: small),

    .target(
      name: "SSOServer",
      dependencies: [
        "Essentials", "SafeText", "SSOCore", "SSOLab", "SSOProvider", "SSOReference", "SSOStore",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    .target(
      name: "SSOBus",
      dependencies: ["CKernel", "Essentials", "SSOCore", "SSODevice", "SSOLab", "SSOReference", "SSOStore"],
      swiftSettings: small),
    .target(
      name: "SSOTermApp",
      dependencies: [
        "Essentials", "SafeText", "SSOBus", "SSOCore", "SSODevice", "SSODoctor", "SSOKeychain", "SSOLab",
        "SSOPostgreSQL", "SSOProvider", "SSOReading", "SSOReference", "SSOReproduce", "SSOScenarios",
        "SSOServer",
        "SSOStore", "TerminalUI",
      ],
      swiftSettings: small),
    .executableTarget(
      name: "SSOTerm",
      dependencies: [
        "Assets", "CGlibcFloor", "Essentials", "SafeText", "SSOBus", "SSOCore", "SSODevice", "SSODoctor",
        "SSOInterop", "SSOKeychain", "SSOLab", "SSOProvider", "SSOReading", "SSOReference", "SSOReproduce",
        "SSOScenarios", "SSOServer", "SSOStore", "SSOTermApp", "TerminalUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: small),
    .executableTarget(
      name: "ssoterm-bench",
      dependencies: [
        "CSQLite", "Essentials", "SSOKeychain", "SSOLab", "SSOPostgreSQL", "SSOScenarios", "SSOStore",
      ],
      swiftSettings: strict),

    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .target(name: "CFixedClock", path: "Tests/CFixedClock", publicHeadersPath: "."),
    .target(
      name: "TestSamples", path: "Tests/TestSamples", resources: [.copy("Samples")], swiftSettings: strict),
    .target(
      name: "DoctorTestSupport", dependencies: ["SSODoctor"], path: "Tests/DoctorTestSupport",
      swiftSettings: strict),
    .target(
      name: "ProviderTestSupport", dependencies: ["SSOProvider"], path: "Tests/ProviderTestSupport",
      swiftSettings: strict),
    .target(
      name: "LabTestSupport", dependencies: ["SSOPostgreSQL", "SSOScenarios"], path: "Tests/LabTestSupport",
      swiftSettings: strict),
    .target(
      name: "FuzzReaders",
      dependencies: ["SSODoctor", "SSOScenarios", "SSOReading", "TerminalUI", "LabTestSupport"],
      path: "Tests/Fuzz/Readers", swiftSettings: strict),
    tests("CGlibcFloorTests", ["CGlibcFloor"]),
    tests("FuzzReadersTests", ["FuzzReaders", "TestSamples"]),
    tests("AssetsTests", ["Assets"]),
    tests("SafeTextTests", ["SafeText"]),
    tests("TerminalUITests", ["TerminalUI"]),
    tests("SSOCoreTests", ["SSOKeychain"]),
    tests("KeyedArchiveTests", ["SSOKeychain", "TestSamples"]),
    tests("SSOReferenceTests", ["Assets", "SSOReference"]),
    tests("SSOKeychainTests", ["SSOKeychain", "TestSamples"]),
    tests("SSODeviceTests", ["SSOScenarios", "LabTestSupport"]),
    tests("SSOProviderTests", ["SSOProvider", "SSOStore", "ProviderTestSupport", "TestSamples"]),
    tests("SSOStoreTests", ["SSOStore", "LabTestSupport"]),
    tests("SSOPostgreSQLTests", ["SSOPostgreSQL", "LabTestSupport"]),
    tests("SSOInteropTests", ["SSOScenarios", "TestSamples"]),
    tests("SSOReadingTests", ["SSOReading", "TestSamples"]),
    tests("SSOLabTests", ["SSOScenarios", "LabTestSupport", "ProviderTestSupport", "TestSamples"]),
    tests("SSODoctorTests", ["SSODoctor", "DoctorTestSupport", "TestSamples"] + crypto),
    tests(
      "SSOReproduceTests", ["SSOReproduce", "SSOLab", "SSOScenarios", "DoctorTestSupport", "TestSamples"]),
    tests("SSOScenariosTests", ["SSOScenarios", "LabTestSupport", "ProviderTestSupport"]),
    .testTarget(
      name: "SSOServerTests",
      dependencies: [
        "SSOServer", "SSOScenarios", "LabTestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    tests("SSOBusTests", ["SSOBus", "SSOScenarios", "LabTestSupport"]),
    tests(
      "SSOTermAppTests", ["SSOTermApp", "DoctorTestSupport", "LabTestSupport", "TestSamples"],
      exclude: ["Goldens"]),
    tests("SSOTermTests", ["SSOTerm", "SSOReproduce", "CVTerm", "LabTestSupport", "SSOPostgreSQL"]),
  ],
  swiftLanguageModes: [.v6])

// Only Scripts/fuzz builds these two; libFuzzer has its own `main`.
if Context.environment["SSOTERM_FUZZER"] != nil {
  package.targets += [
    .executableTarget(
      name: "ssoterm-fuzz", dependencies: ["FuzzReaders"], path: "Tests/Fuzz/Program", swiftSettings: strict),
    .executableTarget(
      name: "ssoterm-rounds", dependencies: ["FuzzReaders", "LabTestSupport"], path: "Tests/Fuzz/Rounds",
      swiftSettings: strict),
  ]
}
