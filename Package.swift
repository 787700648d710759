// swift-tools-version: 6.3

import PackageDescription

/// `LARDER_FUZZ=1 swift build --sanitize fuzzer --product Fuzz` builds the fuzzer of the kit's decoders.
let fuzzing = Context.environment["LARDER_FUZZ"] == "1"

/// `LARDER_CORE=1 swift build` omits App and its dependencies: Domain, Data and Infrastructure need no package.
let coreOnly = Context.environment["LARDER_CORE"] == "1" || fuzzing

/// `LARDER_PROOF=1 swift test` adds the tests that take minutes: mutants, crashes and faults.
let proving = Context.environment["LARDER_PROOF"] == "1"

/// The language of every target: Swift 6 with the upcoming features that are available today.
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

/// A product of another package. Only the trait `Service` needs it: a consumer with `traits: []` resolves no package.
func service(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Service"]))
}

func layer(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: settings)
}

func tests(
    _ name: String, in folder: String = "Kit", _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

func proof(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/Proof/\(name)", swiftSettings: settings)
}

/// The dependencies of the part of `LarderTesting` that tests services over HTTP and the command line.
let testingOfServices: [Target.Dependency] = [
    .target(name: "LarderApp", condition: .when(traits: ["Service"])),
    .target(name: "LarderHTTP", condition: .when(traits: ["Service"])),
    service("ArgumentParser", "swift-argument-parser"),
    service("HTTPTypes", "swift-http-types"),
    service("Hummingbird", "hummingbird"),
    service("Logging", "swift-log"),
    service("NIOCore", "swift-nio"),
    service("NIOEmbedded", "swift-nio"),
]

let core: [Target] = [
    layer("LarderDomain", "Domain/Kit"),
    layer("LarderData", "Data/Kit", ["LarderDomain"]),
    layer("LarderInfrastructure", "Infrastructure/Kit", ["CLarderSQLite", "LarderData", "LarderDomain"]),
    .systemLibrary(
        name: "CLarderSQLite", path: "Infrastructure/CLarderSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),

    layer("LarderStoreContract", "Tests/StoreContract", ["LarderData", "LarderDomain"]),
    layer("LarderArchitecture", "Tests/Architecture"),
    layer(
        "LarderTesting", "Tests/Testing",
        ["LarderData", "LarderDomain", "LarderInfrastructure"] + (coreOnly ? [] : testingOfServices)),

    tests("LarderDomainTests", ["LarderDomain"]),
    tests("LarderDataTests", ["LarderData", "LarderDomain", "LarderInfrastructure"]),
    tests(
        "LarderInfrastructureTests",
        [
            "CLarderSQLite", "CSQLiteSession", "LarderData", "LarderDomain", "LarderInfrastructure",
            "LarderStoreContract",
        ]),
    .systemLibrary(
        name: "CSQLiteSession", path: "Tests/Kit/CSQLiteSession", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    tests("LarderStoreContractTests", ["LarderData", "LarderDomain", "LarderInfrastructure", "LarderStoreContract"]),
    tests("ArchitectureTests", ["LarderArchitecture"], exclude: ["Fixtures"]),
    tests(
        "LarderTestingTests",
        ["LarderData", "LarderDomain", "LarderInfrastructure", "LarderTesting"] + (coreOnly ? [] : testingOfServices)),
]

/// The proofs, which use the support code of the quick tests of the same target.
let proofs: [Target] = [
    proof(
        "LarderInfrastructureProof",
        ["LarderData", "LarderDomain", "LarderInfrastructure", "LarderInfrastructureTests", "LarderStoreContract"]),
    proof(
        "LarderStoreContractProof",
        ["LarderData", "LarderDomain", "LarderInfrastructure", "LarderStoreContract", "LarderStoreContractTests"]),
]

/// The fuzzer, with the decoders of App only, and without the packages that its commands need.
let fuzz: [Target] = [
    .target(
        name: "LarderApp", dependencies: ["LarderDomain"], path: "App/Kit",
        sources: ["Configuration/StoreLocation.swift", "Configuration/UserEnvironment.swift", "Input", "JSON"],
        swiftSettings: settings),
    .executableTarget(
        name: "Fuzz",
        dependencies: ["LarderApp", "LarderData", "LarderDomain", "LarderInfrastructure", "LarderStoreContract"],
        path: "Tests/Proof/Fuzz/Sources", swiftSettings: settings),
]

let app: [Target] = [
    layer(
        "LarderApp", "App/Kit",
        [
            "LarderData", "LarderDomain", "LarderInfrastructure", "LarderStoreContract",
            service("ArgumentParser", "swift-argument-parser"),
            service("Configuration", "swift-configuration"),
            service("Logging", "swift-log"),
        ]),
    layer(
        "LarderHTTP", "App/HTTP",
        [
            "LarderApp", "LarderData", "LarderDomain", "LarderInfrastructure",
            service("ArgumentParser", "swift-argument-parser"),
            service("CoreMetrics", "swift-metrics"),
            service("Crypto", "swift-crypto"),
            service("HTTPTypes", "swift-http-types"),
            service("Hummingbird", "hummingbird"),
            service("HummingbirdCore", "hummingbird"),
            service("Logging", "swift-log"),
            service("Metrics", "swift-metrics"),
            service("NIOCore", "swift-nio"),
            service("NIOHTTP1", "swift-nio"),
            service("NIOHTTP2", "swift-nio-http2"),
            service("NIOHTTPTypes", "swift-nio-extras"),
            service("NIOHTTPTypesHTTP1", "swift-nio-extras"),
            service("ServiceLifecycle", "swift-service-lifecycle"),
            service("UnixSignals", "swift-service-lifecycle"),
        ], resources: [.embedInCode("OpenAPI/Parts"), .embedInCode("Pages/Files")]),

    tests(
        "LarderAppTests",
        [
            "LarderApp", "LarderData", "LarderDomain", "LarderInfrastructure",
            service("ArgumentParser", "swift-argument-parser"),
        ]),
    tests(
        "LarderHTTPTests",
        [
            "LarderApp", "LarderData", "LarderDomain", "LarderHTTP", "LarderInfrastructure", "LarderStoreContract",
            service("ArgumentParser", "swift-argument-parser"),
            service("CoreMetrics", "swift-metrics"),
            service("Crypto", "swift-crypto"),
            service("HTTPTypes", "swift-http-types"),
            service("Hummingbird", "hummingbird"),
            service("HummingbirdCore", "hummingbird"),
            service("HummingbirdHTTP2", "hummingbird"),
            service("HummingbirdTLS", "hummingbird"),
            service("InMemoryTracing", "swift-distributed-tracing"),
            service("JWTKit", "jwt-kit"),
            service("Logging", "swift-log"),
            service("MetricsTestKit", "swift-metrics"),
            service("NIOCore", "swift-nio"),
            service("NIOEmbedded", "swift-nio"),
            service("NIOHTTP1", "swift-nio"),
            service("NIOHTTP2", "swift-nio-http2"),
            service("NIOHTTPTypes", "swift-nio-extras"),
            service("NIOHTTPTypesHTTP2", "swift-nio-extras"),
            service("NIOPosix", "swift-nio"),
            service("NIOSSL", "swift-nio-ssl"),
            service("ServiceLifecycle", "swift-service-lifecycle"),
            service("SwiftASN1", "swift-asn1"),
            service("Tracing", "swift-distributed-tracing"),
            service("X509", "swift-certificates"),
        ]),

    // The program that the long proofs drive. It is not a product, so that dependent packages do not build it.
    .executableTarget(
        name: "ProofProgram",
        dependencies: [
            "LarderApp", "LarderData", "LarderDomain", "LarderHTTP",
            service("ArgumentParser", "swift-argument-parser"),
            service("HTTPTypes", "swift-http-types"),
            service("Hummingbird", "hummingbird"),
            service("NIOCore", "swift-nio"),
        ], path: "Tests/Proof/Program", resources: [.embedInCode("document.json")], swiftSettings: settings),
]

let package = Package(
    name: "larder",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LarderDomain", targets: ["LarderDomain"]),
        .library(name: "LarderData", targets: ["LarderData"]),
        .library(name: "LarderInfrastructure", targets: ["LarderInfrastructure"]),
        .library(name: "LarderStoreContract", targets: ["LarderStoreContract"]),
        .library(name: "LarderArchitecture", targets: ["LarderArchitecture"]),
        .library(name: "LarderTesting", targets: ["LarderTesting"]),
    ]
        + (coreOnly
            ? []
            : [
                .library(name: "LarderApp", targets: ["LarderApp"]),
                .library(name: "LarderHTTP", targets: ["LarderHTTP"]),
            ]),
    traits: [
        .default(enabledTraits: coreOnly ? [] : ["Service"]),
        .trait(name: "Service", description: "LarderApp, LarderHTTP, and the part of LarderTesting that needs them."),
    ],
    dependencies: coreOnly
        ? []
        : [
            .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
            .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
            .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
            .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
            .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
            .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
            .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
            .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
            .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
            .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
            .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
            .package(url: "https://github.com/apple/swift-nio-http2", from: "1.45.0"),
            .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
            .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
            .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
            .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
        ],
    targets: core + (proving ? proofs : []) + (fuzzing ? fuzz : []) + (coreOnly ? [] : app)
)

// MARK: The sample. When you delete its folders, delete the rest of this file, too.

package.targets += [
    layer("CookbookDomain", "Domain/Cookbook", ["LarderDomain"]),
    layer("CookbookData", "Data/Cookbook", ["CookbookDomain", "LarderData", "LarderDomain"]),
    tests("CookbookDomainTests", in: "Cookbook", ["CookbookDomain", "LarderDomain"]),
    tests(
        "CookbookDataTests", in: "Cookbook",
        [
            "CookbookData", "CookbookDomain", "LarderData", "LarderDomain", "LarderInfrastructure",
            "LarderStoreContract", "LarderTesting",
        ]),
]

if !coreOnly {
    package.dependencies.append(.package(url: "https://github.com/jpsim/Yams", from: "6.2.0"))
    package.products.append(.executable(name: "larder", targets: ["CookbookApp"]))
    package.targets += [
        .executableTarget(
            name: "CookbookApp",
            dependencies: [
                "CookbookData", "CookbookDomain", "LarderApp", "LarderData", "LarderDomain", "LarderHTTP",
                service("ArgumentParser", "swift-argument-parser"),
                service("Crypto", "swift-crypto"),
                service("HTTPTypes", "swift-http-types"),
                service("Hummingbird", "hummingbird"),
                service("Logging", "swift-log"),
                service("NIOCore", "swift-nio"),
                service("UnixSignals", "swift-service-lifecycle"),
            ],
            path: "App/Cookbook", exclude: ["Resources/sample.jsonl", "targets.mk"],
            resources: [.embedInCode("Resources/openapi.json"), .embedInCode("Resources/Pages")],
            swiftSettings: settings),
        tests(
            "CookbookAppTests", in: "Cookbook",
            [
                "CLarderSQLite", "CookbookApp", "CookbookData", "CookbookDomain", "LarderApp", "LarderData",
                "LarderDomain", "LarderHTTP", "LarderInfrastructure", "LarderStoreContract", "LarderTesting",
                service("ArgumentParser", "swift-argument-parser"),
                service("HTTPTypes", "swift-http-types"),
                service("Hummingbird", "hummingbird"),
                service("Logging", "swift-log"),
                service("NIOCore", "swift-nio"),
                service("NIOEmbedded", "swift-nio"),
                service("Yams", "Yams"),
            ], exclude: ["Databases", "HTTP/Transcript", "Transcripts"]),
    ]
}

if fuzzing {
    package.targets += [
        .target(
            name: "CookbookApp", dependencies: ["CookbookDomain", "LarderApp", "LarderData", "LarderDomain"],
            path: "App/Cookbook", sources: ["SchemaOrg"], swiftSettings: settings),
        .executableTarget(
            name: "CookbookFuzz", dependencies: ["CookbookApp", "CookbookDomain", "LarderDomain"],
            path: "Tests/Proof/Cookbook/Fuzz/Sources", swiftSettings: settings),
    ]
}
