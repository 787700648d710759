// swift-tools-version: 6.3

import PackageDescription

// A separate package, so that the default graph has no third-party package below App. `make grdb` tests it.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "larder-grdb",
    platforms: [.macOS(.v15)],
    products: [.library(name: "LarderGRDB", targets: ["LarderGRDB"])],
    dependencies: [
        .package(name: "larder", path: "../..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "LarderGRDB",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "LarderData", package: "larder"),
                .product(name: "LarderDomain", package: "larder"),
            ],
            path: "Sources", swiftSettings: settings),
        .testTarget(
            name: "LarderGRDBTests",
            dependencies: [
                "LarderGRDB",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "LarderData", package: "larder"),
                .product(name: "LarderDomain", package: "larder"),
                .product(name: "LarderFollowers", package: "larder"),
                .product(name: "LarderInfrastructure", package: "larder"),
                .product(name: "LarderStoreContract", package: "larder"),
            ],
            path: "Tests", swiftSettings: settings),
    ]
)
