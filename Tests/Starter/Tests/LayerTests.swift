import LarderArchitecture
import Testing

/// What each folder may import.
@Test func `each layer imports only permitted modules`() async throws {
    let language = Layer.language
    let architecture = try Architecture(layers: [
        Layer("Domain", imports: .only(language.union(["LarderDomain"]))),
        Layer("Data", imports: .only(language.union(["LarderDomain", "LarderData", "LoansDomain"]))),
        Layer("App", imports: .allBut(["LarderTesting", "LarderInfrastructure"])),
        Layer("Tests", imports: .any, isProduct: false),
    ])
    let findings = try await architecture.check()
    #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
}
