// swift-tools-version: 6.2

import PackageDescription

// A stranger's package, with targets named as Larder's folders are: it sees the kit's products and nothing else.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "larder", path: "../..")],
    targets: [
        .target(name: "Domain", dependencies: [.product(name: "LarderDomain", package: "larder")]),
        .target(
            name: "Data",
            dependencies: [
                "Domain",
                .product(name: "LarderData", package: "larder"),
                .product(name: "LarderDomain", package: "larder"),
            ]),
        .executableTarget(
            name: "App",
            dependencies: [
                "Data", "Domain",
                .product(name: "LarderArchitecture", package: "larder"),
                .product(name: "LarderData", package: "larder"),
                .product(name: "LarderDomain", package: "larder"),
                .product(name: "LarderInfrastructure", package: "larder"),
                .product(name: "LarderStoreContract", package: "larder"),
            ]),
    ]
)
