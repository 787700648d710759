// swift-tools-version: 6.3

import Foundation
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

/// The packages of App with their least versions, and the products that targets use.
let packages: [(name: String, from: Version, traits: Set<Package.Dependency.Trait>, products: [String])] = [
    ("apple/swift-argument-parser", "1.8.0", [.defaults], ["ArgumentParser"]),
    ("apple/swift-asn1", "1.7.0", [.defaults], ["SwiftASN1"]),
    ("apple/swift-certificates", "1.21.0", [.defaults], ["X509"]),
    ("apple/swift-configuration", "1.4.0", [.defaults], ["Configuration"]),
    ("apple/swift-crypto", "4.5.0", [.defaults], ["Crypto", "CryptoExtras"]),
    ("apple/swift-distributed-tracing", "1.7.0", [.defaults], ["InMemoryTracing", "Tracing"]),
    ("apple/swift-http-types", "1.8.0", [.defaults], ["HTTPTypes"]),
    ("apple/swift-log", "1.16.0", [.defaults], ["Logging"]),
    ("apple/swift-metrics", "2.13.0", [.defaults], ["CoreMetrics", "Metrics", "MetricsTestKit"]),
    ("apple/swift-nio", "2.101.0", [.defaults], ["NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix"]),
    ("apple/swift-nio-extras", "1.34.0", [.defaults], ["NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2"]),
    ("apple/swift-nio-http2", "1.45.0", [.defaults], ["NIOHTTP2"]),
    ("apple/swift-nio-ssl", "2.37.0", [.defaults], ["NIOSSL"]),
    (
        "hummingbird-project/hummingbird", "2.28.0", [],
        ["Hummingbird", "HummingbirdCore", "HummingbirdHTTP2", "HummingbirdTLS"]
    ),
    ("swift-server/async-http-client", "1.37.0", [.defaults], ["AsyncHTTPClient"]),
    ("swift-server/swift-service-lifecycle", "2.13.0", [.defaults], ["ServiceLifecycle", "UnixSignals"]),
    ("swiftlang/swift-subprocess", "1.0.2", [], ["Subprocess"]),
    ("vapor/jwt-kit", "5.7.0", [.defaults], ["JWTKit"]),
]

/// Products of other packages. Only the trait `Service` needs them: a consumer with `traits: []` resolves no package.
func services(_ names: String...) -> [Target.Dependency] {
    packages.flatMap { package -> [Target.Dependency] in
        let name = String(package.name.split(separator: "/")[1])
        return names.filter(package.products.contains).map {
            .product(name: $0, package: name, condition: .when(traits: ["Service"]))
        }
    }
}

func layer(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], sources: [String]? = nil,
    resources: [Resource]? = nil
) -> Target {
    let documents = ["README.md", "Backup/FORMAT.md", "File/FORMAT.md", "SQLite/README.md"].filter {
        FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)/\($0)")
    }
    return .target(
        name: name, dependencies: dependencies, path: path, exclude: documents, sources: sources, resources: resources,
        swiftSettings: settings)
}

func system(_ path: String, _ library: String? = nil, apt: String, brew: String) -> Target {
    let name = String(path.split(separator: "/").last!)
    return .systemLibrary(name: name, path: path, pkgConfig: library, providers: [.apt([apt]), .brew([brew])])
}

func tests(
    _ name: String, in folder: String = "Kit", _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

func program(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: settings)
}

/// The dependencies of the part of `LarderTesting` that tests services over HTTP and the command line.
let testingOfServices: [Target.Dependency] =
    coreOnly
    ? []
    : ["LarderApp", "LarderHTTP"].map { .target(name: $0, condition: .when(traits: ["Service"])) }
        + services("ArgumentParser", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "NIOEmbedded")

func load(_ name: String, _ path: String, _ others: [Target.Dependency]) -> Target {
    program(name, path, ["LarderData", "LarderDomain", "LarderInfrastructure"] + others)
}

/// The client library of PostgreSQL. Without the trait, `LarderPostgres` is empty and builds without the library.
let libpq: [Target.Dependency] = [.target(name: "CLarderPostgres", condition: .when(traits: ["Postgres"]))]

/// With the trait, SQLCipher's library replaces SQLite's.
let sqlcipher: [Target.Dependency] = [.target(name: "CLarderSQLCipher", condition: .when(traits: ["SQLCipher"]))]

/// The stores, and what they and their tests are made of.
let stores: [Target.Dependency] = ["LarderData", "LarderDomain", "LarderInfrastructure", "LarderStoreContract"]

let core: [Target] = [
    layer("LarderDomain", "Domain/Kit"),
    layer("LarderData", "Data/Kit", ["LarderDomain"]),
    layer("LarderFollowers", "Data/Followers", ["LarderData", "LarderDomain"]),
    layer("LarderInfrastructure", "Infrastructure/Kit", ["CLarderSQLite", "LarderData", "LarderDomain"] + sqlcipher),
    // Without pkg-config, which would also link it with the trait SQLCipher.
    system("Infrastructure/CLarderSQLite", apt: "libsqlite3-dev", brew: "sqlite3"),
    system("Infrastructure/CLarderSQLCipher", "sqlcipher", apt: "libsqlcipher-dev", brew: "sqlcipher"),
    layer("LarderDecorators", "Infrastructure/Decorators", ["LarderData", "LarderDomain"]),
    layer("LarderPostgres", "Infrastructure/Postgres", ["LarderData", "LarderDomain", "LarderInfrastructure"] + libpq),
    system("Infrastructure/CLarderPostgres", "libpq", apt: "libpq-dev", brew: "libpq"),
    layer("LarderStoreContract", "Tests/StoreContract", ["LarderData", "LarderDomain"]),
    layer("LarderArchitecture", "Tests/Architecture"),
    layer(
        "LarderTesting", "Tests/Testing", ["LarderData", "LarderDomain", "LarderInfrastructure"] + testingOfServices),
    tests("LarderDomainTests", ["LarderDomain"]),
    tests("LarderDataTests", ["LarderData", "LarderDomain", "LarderInfrastructure"]),
    tests("LarderInfrastructureTests", ["CLarderSQLite", "CSQLiteSession"] + stores),
    system("Tests/Kit/CSQLiteSession", apt: "libsqlite3-dev", brew: "sqlite3"),
    tests("LarderStoreContractTests", stores),
    tests("LarderFollowersTests", ["LarderFollowers"] + stores),
    tests("LarderDecoratorsTests", ["LarderDecorators", "LarderInfrastructureTests"] + stores),
    tests(
        "LarderPostgresTests",
        ["LarderDecoratorsTests", "LarderFollowersTests", "LarderInfrastructureTests", "LarderPostgres"] + stores
            + libpq),
    tests("ArchitectureTests", ["LarderArchitecture"], exclude: ["Fixtures"]),
    tests(
        "LarderTestingTests", ["CommonNames", "LarderArchitecture", "LarderTesting"] + stores + testingOfServices),
    layer("CommonNames", "Tests/Kit/CommonNames"),
]

/// `swift package generate`, which adds entities to the package that depends on the kit. It needs no other target.
let generator: [Target] = [
    program("LarderGenerator", "App/Generator/Tool"),
    tests("LarderGeneratorTests", ["LarderGenerator"], exclude: ["Schemas"]),
    .plugin(
        name: "LarderGenerate",
        capability: .command(
            intent: .custom(verb: "generate", description: "Adds and removes entities: see docs/start.md."),
            permissions: [.writeToPackageDirectory(reason: "It writes the files of the entity.")]),
        dependencies: ["LarderGenerator"], path: "App/Generator/Plugin"),
]

/// The proofs, which use the support code of the quick tests of the same target.
let proofs: [Target] = [
    tests("LarderInfrastructureProof", in: "Proof", ["LarderInfrastructureTests"] + stores),
    tests("LarderStoreContractProof", in: "Proof", ["LarderFollowersTests", "LarderStoreContractTests"] + stores),
    load("DecoratorLoad", "Tests/Proof/Decorators/Load", ["LarderDecorators"]),
    load("FollowerLoad", "Tests/Proof/Followers/Load", ["LarderFollowers", "LarderPostgres"]),
    load("PostgresLoad", "Tests/Proof/Postgres/Load", ["LarderPostgres"]),
]

/// The fuzzer, with the decoders of App only, and without the packages that its commands need.
let fuzz: [Target] = [
    layer(
        "LarderApp", "App/Kit", ["LarderDomain"],
        sources: ["PostgresLocation", "StoreLocation", "StoreNotation", "UserEnvironment"].map {
            "Configuration/\($0).swift"
        } + ["Input", "JSON"]),
    program("Fuzz", "Tests/Proof/Fuzz/Sources", ["LarderApp"] + stores),
]

/// The libraries of every service.
let service: [Target.Dependency] = ["LarderApp", "LarderData", "LarderDomain", "LarderHTTP"]

let app: [Target] = [
    layer(
        "LarderApp", "App/Kit",
        ["LarderDecorators", "LarderPostgres"] + stores
            + services("ArgumentParser", "Configuration", "Crypto", "CryptoExtras", "Logging", "Subprocess")),
    layer(
        "LarderHTTP", "App/HTTP",
        ["LarderApp", "LarderData", "LarderDecorators", "LarderDomain", "LarderInfrastructure"]
            + services(
                "ArgumentParser", "CoreMetrics", "Crypto", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging",
                "Metrics", "NIOCore", "NIOHTTP1", "NIOHTTP2", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix",
                "ServiceLifecycle", "Subprocess", "Tracing", "UnixSignals"),
        resources: [.embedInCode("OpenAPI/Parts"), .embedInCode("Pages/Files")]),
    layer(
        "LarderFollowersService", "App/Followers",
        service + ["LarderFollowers"] + services("ArgumentParser", "CoreMetrics", "Logging", "ServiceLifecycle")),
    layer(
        "LarderWebhooks", "App/Webhooks",
        ["LarderDomain"] + services("AsyncHTTPClient", "Crypto", "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOPosix")),
    layer(
        "LarderOpenID", "App/OpenID",
        service + services("AsyncHTTPClient", "HTTPTypes", "JWTKit", "Logging", "NIOCore", "NIOHTTP1")),
    tests(
        "LarderWebhooksTests",
        ["LarderData", "LarderDomain", "LarderFollowers", "LarderFollowersTests", "LarderWebhooks"]
            + services("AsyncHTTPClient", "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL")),
    tests("LarderAppTests", ["LarderApp", "LarderDecorators"] + stores + services("ArgumentParser")),
    tests(
        "LarderHTTPTests",
        ["LarderDecorators", "LarderFollowers", "LarderFollowersService", "LarderOpenID"]
            + ["LarderPostgresTests", "LarderTesting"] + stores + testingOfServices
            + services(
                "CoreMetrics", "Crypto", "CryptoExtras", "HummingbirdCore", "HummingbirdHTTP2", "HummingbirdTLS",
                "InMemoryTracing", "MetricsTestKit", "NIOHTTP1", "NIOHTTP2", "NIOHTTPTypes", "NIOHTTPTypesHTTP2",
                "NIOPosix", "NIOSSL", "ServiceLifecycle", "SwiftASN1", "Tracing", "X509")),
    // The program that the long proofs drive. It is not a product, so that dependent packages do not build it.
    program(
        "ProofProgram", "Tests/Proof/Program",
        service + services("ArgumentParser", "HTTPTypes", "Hummingbird", "NIOCore"),
        resources: [.embedInCode("document.json")]),
]

/// A copy of the kit in a service has no tests and no proofs.
func exists(_ target: Target) -> Bool {
    target.path.map { FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\($0)") } ?? true
}

let libraries = (core + (coreOnly ? [] : app)).filter {
    $0.type == .regular && $0.name.hasPrefix("Larder") && exists($0)
}

let package = Package(
    name: "larder",
    platforms: [.macOS(.v15)],
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) }
        + [.plugin(name: "LarderGenerate", targets: ["LarderGenerate"])],
    traits: [
        .default(enabledTraits: coreOnly ? [] : ["Service"]),
        .trait(name: "Service", description: "The libraries of App, and a part of LarderTesting."),
        .trait(name: "Postgres", description: "LarderPostgres, which needs libpq."),
        .trait(name: "SQLCipher", description: "SQLite databases sealed by a passphrase, which need libsqlcipher."),
    ],
    dependencies: coreOnly
        ? []
        : packages.map { .package(url: "https://github.com/\($0.name)", from: $0.from, traits: $0.traits) },
    targets: core + generator + (proving ? proofs : []) + (fuzzing ? fuzz : []) + (coreOnly ? [] : app)
        + (proving && !coreOnly
            ? [load("WebhookLoad", "Tests/Proof/Webhooks/Load", ["LarderFollowers", "LarderWebhooks"])] : [])
)

package.targets.removeAll { !exists($0) }

// The plugin that builds the API reference: only `make docs` resolves it.
let docc = Package.Dependency.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")
if Context.environment["LARDER_DOCS"] == "1" { package.dependencies.append(docc) }

// MARK: The sample. When you delete its folders, delete the rest of this file, too.

package.targets += [
    layer("CookbookDomain", "Domain/Cookbook", ["LarderDomain"]),
    layer("CookbookData", "Data/Cookbook", ["CookbookDomain", "LarderData", "LarderDomain"]),
    tests("CookbookDomainTests", in: "Cookbook", ["CookbookDomain", "LarderDomain"]),
    tests(
        "CookbookDataTests", in: "Cookbook",
        ["CLarderSQLite", "CookbookData", "CookbookDomain", "LarderInfrastructureTests", "LarderTesting"] + stores),
]

if !coreOnly {
    package.dependencies.append(.package(url: "https://github.com/jpsim/Yams", from: "6.2.0"))
    package.products.append(.executable(name: "larder", targets: ["CookbookApp"]))
    package.targets += [
        .executableTarget(
            name: "CookbookApp",
            dependencies: service + ["CookbookData", "CookbookDomain", "LarderFollowers", "LarderFollowersService"]
                + services("ArgumentParser", "Crypto", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "UnixSignals"),
            path: "App/Cookbook", exclude: ["Resources/sample.jsonl", "targets.mk"],
            resources: [.embedInCode("Resources/openapi.json"), .embedInCode("Resources/Pages")],
            swiftSettings: settings),
        tests(
            "CookbookAppTests", in: "Cookbook",
            [
                "CLarderSQLite", "CookbookApp", "CookbookData", "CookbookDomain", "LarderApp", "LarderHTTP",
                "LarderPostgres", "LarderPostgresTests", "LarderTesting",
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Service"])),
            ] + stores
                + services("ArgumentParser", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "NIOEmbedded"),
            exclude: ["Databases", "HTTP/Transcript", "Transcripts"]),
    ]
}

if fuzzing {
    package.targets += [
        layer(
            "CookbookApp", "App/Cookbook", ["CookbookDomain", "LarderApp", "LarderData", "LarderDomain"],
            sources: ["SchemaOrg"]),
        program(
            "CookbookFuzz", "Tests/Proof/Cookbook/Fuzz/Sources", ["CookbookApp", "CookbookDomain", "LarderDomain"]),
    ]
}
