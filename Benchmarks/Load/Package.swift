// swift-tools-version: 6.2

import PackageDescription

// What `make load` compares Larder with. It is a separate package, so that `make bench` does not need Hummingbird.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let package = Package(
    name: "load",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        // The least work that a server can do.
        .executableTarget(name: "BareServer", dependencies: [hummingbird], swiftSettings: settings),
        // The service that a user would write without Larder.
        .executableTarget(
            name: "PeerServer",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                hummingbird,
            ],
            swiftSettings: settings),
    ]
)
