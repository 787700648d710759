// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that a build of Larder does not build it. `make bench` runs it.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Postgres", description: "The works on PostgreSQL, which need libpq.")],
    dependencies: [
        .package(
            name: "larder", path: "..",
            traits: [.defaults, .trait(name: "Postgres", condition: .when(traits: ["Postgres"]))]),
        .package(name: "larder-grdb", path: "../Infrastructure/GRDB"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The floor calls SQLite directly, so that Larder is not measured against its own code.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq"),
        // Requests to callgrind in inline C, if valgrind's headers are installed.
        .systemLibrary(name: "CCallgrind"),
        // The floor of custom migration steps, in C.
        .executableTarget(name: "MigrationFloor", dependencies: ["CSQLite"]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CCallgrind",
                .target(name: "CPostgres", condition: .when(traits: ["Postgres"])),
                "CSQLite",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "LarderData", package: "larder"),
                .product(name: "LarderDecorators", package: "larder"),
                .product(name: "LarderDomain", package: "larder"),
                .product(name: "LarderFollowers", package: "larder"),
                .product(name: "LarderGRDB", package: "larder-grdb"),
                .product(name: "LarderInfrastructure", package: "larder"),
                .product(name: "LarderPostgres", package: "larder", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: settings),
    ]
)
