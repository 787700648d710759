// swift-tools-version: 6.2

import PackageDescription

// The reference of `make load`: only Hummingbird. It is a separate package, so that `make bench` does not need
// Hummingbird.
let package = Package(
    name: "load",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "BareServer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ]
)
