// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "books",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without traits, the kit resolves no package.
        .package(name: "larder", path: "../..", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "books",
            dependencies: ["LarderDomain", "LarderData", "LarderInfrastructure"].map {
                .product(name: $0, package: "larder")
            } + [.product(name: "Hummingbird", package: "hummingbird")],
            path: ".", sources: ["Books.swift", "main.swift"])
    ]
)
