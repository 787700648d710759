/// A folder of the workspace, and what its sources may import and its target may depend on.
struct Layer: Sendable {
    let folder: String
    let allowance: Allowance

    /// The innermost layer that a file lies in.
    static func of(_ path: String) -> Layer? {
        all.filter { path == $0.folder || path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }

    /// Folders whose code is shipped.
    static let product = ["Domain", "Data", "Infrastructure", "App", "Tests/StoreContract"]
    /// Folders whose code is shipped and knows no third party.
    static let core = ["Domain", "Data", "Infrastructure", "Tests/StoreContract"]
    /// What a fork keeps of the layers below App.
    static let coreKit = ["Domain/Kit", "Data/Kit", "Infrastructure"]
}

extension Layer {
    private static let language: Set = ["Swift", "FoundationEssentials", "Foundation"]
    private static let domain = language.union(["Synchronization"])
    private static let system = domain.union(["Dispatch", "Glibc", "Musl", "Darwin"])
    private static let testing = system.union(["Testing"])
    private static let kit: Set = [
        "LarderDomain", "LarderData", "LarderInfrastructure", "CLarderSQLite", "LarderStoreContract",
    ]
    /// The modules that serve HTTP; commands and settings do not need them.
    private static let server: Set = ["HTTPTypes", "Hummingbird", "HummingbirdCore", "NIOCore", "NIOHTTP1"]
    private static let sample: Set = ["CookbookDomain", "CookbookData", "CookbookApp"]

    static let all: [Layer] = [
        Layer(folder: "Domain/Kit", allowance: .only(domain)),
        Layer(folder: "Domain/Cookbook", allowance: .only(domain.union(["LarderDomain"]))),
        Layer(folder: "Data/Kit", allowance: .only(domain.union(["LarderDomain"]))),
        Layer(
            folder: "Data/Cookbook", allowance: .only(domain.union(["LarderDomain", "LarderData", "CookbookDomain"]))),
        Layer(folder: "Infrastructure/CLarderSQLite", allowance: .only([])),
        Layer(
            folder: "Infrastructure/Kit",
            allowance: .only(system.union(["LarderDomain", "LarderData", "CLarderSQLite"]))),
        Layer(folder: "App/Kit", allowance: .allBut(sample.union(["LarderHTTP"]).union(server))),
        Layer(folder: "App/HTTP", allowance: .allBut(sample)),
        Layer(folder: "App/Cookbook", allowance: .allBut([])),
        Layer(folder: "Tests/StoreContract", allowance: .only(domain.union(["LarderDomain", "LarderData"]))),
        Layer(folder: "Tests/LarderDomainTests", allowance: .only(testing.union(["LarderDomain"]))),
        Layer(
            folder: "Tests/CookbookDomainTests", allowance: .only(testing.union(["LarderDomain", "CookbookDomain"]))),
        Layer(folder: "Tests/LarderDataTests", allowance: .only(testing.union(kit))),
        Layer(
            folder: "Tests/CookbookDataTests",
            allowance: .only(testing.union(kit).union(["CookbookDomain", "CookbookData"]))),
        Layer(folder: "Tests/CSQLiteSession", allowance: .only([])),
        Layer(
            folder: "Tests/LarderInfrastructureTests", allowance: .only(testing.union(kit).union(["CSQLiteSession"]))),
        Layer(folder: "Tests/LarderStoreContractTests", allowance: .only(testing.union(kit))),
        Layer(folder: "Tests/ArchitectureTests", allowance: .only(testing)),
        Layer(folder: "Tests/LarderAppTests", allowance: .allBut(sample)),
        Layer(folder: "Tests/CookbookAppTests", allowance: .allBut([])),
        Layer(folder: "Tests/Fuzz", allowance: .allBut(["Testing"])),
        // Packages of their own, which see the workspace from outside.
        Layer(folder: "Tests/ConsumerPackage", allowance: .allBut(sample.union(["CLarderSQLite"]))),
        Layer(folder: "Benchmarks", allowance: .allBut(sample)),
    ]
}
