import LarderArchitecture

extension Workspace {
    private static let domain = Layer.language.union(["Synchronization"])
    private static let system = domain.union(["Dispatch", "Glibc", "Musl", "Darwin"])
    private static let testing = system.union(["Testing"])
    private static let kit: Set = [
        "LarderDomain", "LarderData", "LarderInfrastructure", "CLarderSQLite", "LarderStoreContract",
    ]
    /// The modules that serve HTTP; commands and settings do not need them.
    private static let server: Set = ["HTTPTypes", "Hummingbird", "HummingbirdCore", "NIOCore", "NIOHTTP1"]
    /// The products that only some services use.
    private static let followers: Set = [
        "AsyncHTTPClient", "JWTKit", "LarderFollowers", "LarderFollowersService", "LarderOpenID", "LarderWebhooks",
    ]
    /// The modules that send events to HTTP receivers.
    private static let webhooks: Set = [
        "AsyncHTTPClient", "Crypto", "HTTPTypes", "LarderDomain", "NIOCore", "NIOHTTP1", "NIOPosix",
    ]
    /// The modules that verify the tokens of an identity provider.
    private static let openID: Set = [
        "AsyncHTTPClient", "HTTPTypes", "JWTKit", "LarderApp", "LarderData", "LarderDomain", "LarderHTTP", "Logging",
        "NIOCore", "NIOHTTP1",
    ]
    private static let sample: Set = ["CookbookDomain", "CookbookData", "CookbookApp"]

    static let layers = kitLayers + sampleLayers

    private static let kitLayers = [
        Layer("Domain/Kit", imports: .only(domain)),
        Layer("Data/Kit", imports: .only(domain.union(["LarderDomain"]))),
        Layer("Data/Followers", imports: .only(domain.union(["LarderDomain", "LarderData"]))),
        Layer("Infrastructure/CLarderSQLite", imports: .only([])),
        Layer("Infrastructure/CLarderSQLCipher", imports: .only([])),
        Layer(
            "Infrastructure/Kit",
            imports: .only(
                system.union([
                    "LarderDomain", "LarderData", "CLarderSQLite", "CLarderSQLiteLibrary", "CLarderSQLCipher",
                ]))),
        Layer("Infrastructure/Decorators", imports: .only(domain.union(["LarderDomain", "LarderData"]))),
        Layer("Infrastructure/CLarderPostgres", imports: .only([])),
        Layer(
            "Infrastructure/Postgres",
            imports: .only(system.union(["LarderDomain", "LarderData", "LarderInfrastructure", "CLarderPostgres"]))),
        Layer("App/Kit", imports: .allBut(sample.union(["LarderHTTP"]).union(server).union(followers))),
        Layer("App/HTTP", imports: .allBut(sample.union(followers))),
        Layer("App/Followers", imports: .allBut(sample)),
        Layer("App/OpenID", imports: .only(domain.union(openID))),
        Layer("App/Webhooks", imports: .only(system.union(webhooks))),
        Layer("App/Generator/Tool", imports: .only(Layer.language.union(["Foundation"]))),
        Layer("App/Generator/Plugin", imports: .only(["Foundation", "LarderGenerator", "PackagePlugin"])),
        Layer("Tests/StoreContract", imports: .only(domain.union(["LarderDomain", "LarderData"]))),
        Layer("Tests/Architecture", imports: .only(Layer.language)),
        Layer("Tests/Testing", imports: .allBut(sample.union(["Testing", "CLarderSQLite"]))),
        test("Tests/Kit/LarderDomainTests", .only(testing.union(["LarderDomain"]))),
        test("Tests/Kit/LarderDataTests", .only(testing.union(kit))),
        test("Tests/Kit/CSQLiteSession", .only([])),
        test("Tests/Kit/LarderInfrastructureTests", .only(testing.union(kit).union(["CSQLiteSession"]))),
        test(
            "Tests/Kit/LarderPostgresTests",
            .only(
                testing.union(kit).union([
                    "CLarderPostgres", "LarderDecoratorsTests", "LarderFollowersTests", "LarderInfrastructureTests",
                    "LarderPostgres",
                ]))),
        test(
            "Tests/Kit/LarderDecoratorsTests",
            .only(testing.union(kit).union(["LarderDecorators", "LarderInfrastructureTests"]))),
        test("Tests/Kit/LarderFollowersTests", .only(testing.union(kit).union(["LarderFollowers"]))),
        test("Tests/Kit/LarderStoreContractTests", .only(testing.union(kit))),
        test("Tests/Kit/ArchitectureTests", .only(testing.union(["LarderArchitecture"]))),
        test("Tests/Kit/CommonNames", .only([])),
        test("Tests/Kit/LarderGeneratorTests", .only(testing.union(["Foundation", "LarderGenerator"]))),
        test("Tests/Kit/LarderTestingTests", .allBut(sample)),
        test("Tests/Kit/LarderAppTests", .allBut(sample.union(["LarderHTTP"]).union(server))),
        test("Tests/Kit/LarderHTTPTests", .allBut(sample)),
        test("Tests/Kit/LarderWebhooksTests", .allBut(sample.union(["LarderHTTP"]))),
        test("Tests/Proof/Program", .allBut(sample.union(["Testing"]))),
        test(
            "Tests/Proof/LarderInfrastructureProof", .only(testing.union(kit).union(["LarderInfrastructureTests"]))),
        test(
            "Tests/Proof/LarderStoreContractProof",
            .only(testing.union(kit).union(["LarderFollowersTests", "LarderStoreContractTests"]))),
        test("Tests/Proof/Fuzz", .only(system.union(kit).union(["LarderApp"]))),
        test("Tests/Proof/Decorators/Load", .only(system.union(kit).union(["LarderDecorators"]))),
        test(
            "Tests/Proof/Followers/Load", .only(system.union(kit).union(["LarderFollowers", "LarderPostgres"]))),
        test("Tests/Proof/Webhooks/Load", .only(system.union(kit).union(["LarderFollowers", "LarderWebhooks"]))),
        test("Tests/Proof/Postgres/Load", .only(system.union(kit).union(["LarderPostgres"]))),
        // Separate packages, which see the workspace from outside.
        Layer(
            "Infrastructure/GRDB",
            imports: .only(system.union(["LarderDomain", "LarderData", "GRDB", "PackageDescription"])),
            mayBeAbsent: true),
        test(
            "Infrastructure/GRDB/Tests", .only(testing.union(kit).union(["GRDB", "LarderFollowers", "LarderGRDB"])),
            mayBeAbsent: true),
        test("Tests/Starter", .allBut(sample.union(["CLarderSQLite"]))),
        test("Tests/Embedded", .allBut(sample.union(["CLarderSQLite", "LarderApp", "LarderHTTP"]))),
        test("Benchmarks", .allBut(sample)),
    ]

    /// A fork deletes these folders, and the rules do not change.
    private static let sampleLayers = [
        Layer("Domain/Cookbook", imports: .only(domain.union(["LarderDomain"])), mayBeAbsent: true),
        Layer(
            "Data/Cookbook", imports: .only(domain.union(["LarderDomain", "LarderData", "CookbookDomain"])),
            mayBeAbsent: true),
        Layer("App/Cookbook", imports: .any, mayBeAbsent: true),
        test(
            "Tests/Cookbook/CookbookDomainTests", .only(testing.union(["LarderDomain", "CookbookDomain"])),
            mayBeAbsent: true),
        test(
            "Tests/Cookbook/CookbookDataTests",
            .only(
                testing.union(kit).union([
                    "CookbookDomain", "CookbookData", "LarderInfrastructureTests", "LarderTesting",
                ])),
            mayBeAbsent: true),
        test("Tests/Cookbook/CookbookAppTests", .any, mayBeAbsent: true),
        test("Tests/Proof/Cookbook", .allBut(["Testing"]), mayBeAbsent: true),
    ]

    private static func test(_ folder: String, _ imports: Allowance, mayBeAbsent: Bool = false) -> Layer {
        Layer(folder, imports: imports, isProduct: false, mayBeAbsent: mayBeAbsent)
    }
}
