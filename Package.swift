// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SSOTerm",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ssoterm", targets: ["SSOTerm"]),
    .executable(name: "ssoterm-bench", targets: ["ssoterm-bench"]),
    .library(name: "SSOModel", targets: ["SSOModel"]),
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
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
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
    .target(name: "TerminalUI", dependencies: ["CNcurses"], swiftSettings: strict),
    .target(
      name: "SSOModel",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: strict),
    .target(
      name: "SSOServer",
      dependencies: [
        "SSOModel",
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
    .executableTarget(
      name: "SSOTerm",
      dependencies: [
        "SSOModel", "SSOServer", "TerminalUI",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict,
      // At a fixed address the loader need not write 140 000 pointers before `main`: a sixth of `ssoterm silent`.
      linkerSettings: [
        .unsafeFlags(["-Xclang-linker", "-no-pie"], .when(platforms: [.linux], configuration: .release))
      ]),
    .executableTarget(
      name: "ssoterm-bench",
      dependencies: ["SSOModel", .product(name: "GRDBSQLite", package: "GRDB.swift")],
      swiftSettings: strict),
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI"], swiftSettings: strict),
    .testTarget(
      name: "SSOModelTests", dependencies: ["SSOModel"],
      resources: [.copy("Samples")], swiftSettings: strict),
    .testTarget(
      name: "SSOServerTests",
      dependencies: [
        "SSOServer",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SSOTermTests", dependencies: ["SSOTerm", "CVTerm"],
      exclude: ["Goldens"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6])
