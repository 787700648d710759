// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func kit(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "larder") }
}

let package = Package(
    name: "loans",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "loans", targets: ["LoansApp"])],
    dependencies: [
        .package(name: "larder", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .target(name: "LoansDomain", dependencies: kit("LarderDomain"), path: "Domain", swiftSettings: settings),
        .target(
            name: "LoansData", dependencies: ["LoansDomain"] + kit("LarderData", "LarderDomain"), path: "Data",
            swiftSettings: settings),
        .executableTarget(
            name: "LoansApp",
            dependencies: ["LoansData", "LoansDomain"]
                + kit("LarderApp", "LarderData", "LarderDomain", "LarderHTTP")
                + [
                    .product(name: "ArgumentParser", package: "swift-argument-parser"),
                    .product(name: "Hummingbird", package: "hummingbird"),
                ],
            path: "App", swiftSettings: settings),
        .testTarget(
            name: "LoansTests",
            dependencies: ["LoansApp", "LoansData", "LoansDomain"]
                + kit(
                    "LarderApp", "LarderArchitecture", "LarderData", "LarderDomain", "LarderHTTP",
                    "LarderInfrastructure", "LarderStoreContract", "LarderTesting")
                + [.product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Tests", exclude: ["Transcripts"], swiftSettings: settings),
    ]
)
