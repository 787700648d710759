import LarderArchitecture
import Testing

@Suite("The architecture")
struct WorkspaceTests {
    static let ofDocuments = Checked.documents + Checked.maps + Checked.wording
    static let rules = Checked.imports + Checked.package + Checked.code + Checked.size + ofDocuments

    @Test(arguments: rules)
    func `the workspace keeps the rule`(checked: Checked) async throws {
        let findings = checked.rule.findings(in: try await Workspace.tree.value)
        #expect(findings.isEmpty, "\(findings.map { "\n\($0)" }.joined())")
    }

    @Test(arguments: rules)
    func `the rule catches the fixture that breaks it, there and nowhere else`(checked: Checked) throws {
        let tree = try checked.fixture.tree()
        let findings = checked.rule.examine(tree).findings
        #expect(!findings.isEmpty)
        if !tree.marked.isEmpty {
            #expect(Set(findings.compactMap(\.place)) == tree.marked)
        }
    }

    @Test(arguments: rules)
    func `the rule fails when it matches nothing, unless it is about documents`(checked: Checked) {
        let isAboutDocuments = Self.ofDocuments.contains { $0.rule.statement == checked.rule.statement }
        #expect(checked.rule.findings(in: SourceTree()).isEmpty == isAboutDocuments)
    }

    @Test(arguments: ofDocuments)
    func `a rule about documents matches something while the sample is there`(checked: Checked) async throws {
        let tree = try await Workspace.tree.value
        #expect(checked.rule.examine(tree).examined > 0 || !tree.hasPath("Domain/Cookbook"))
    }
}
