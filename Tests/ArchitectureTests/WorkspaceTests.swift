import Testing

@Suite("The architecture")
struct WorkspaceTests {
    static let rules = Rule.imports + Rule.package + Rule.code + Rule.size + Rule.documents

    @Test(arguments: rules)
    func `the workspace keeps the rule`(rule: Rule) async throws {
        let violations = rule.violations(in: try await Self.workspace.value)
        #expect(violations.isEmpty, "\(violations.map { "\n\($0)" }.joined())")
    }

    @Test(arguments: rules)
    func `the rule catches the fixture that breaks it, there and nowhere else`(rule: Rule) throws {
        let tree = try rule.fixture.tree()
        let violations = rule.examine(tree).violations
        #expect(!violations.isEmpty)
        if !tree.marked.isEmpty {
            #expect(Set(violations.compactMap(\.place)) == tree.marked)
        }
    }

    @Test(arguments: rules)
    func `the rule fails when it matches nothing`(rule: Rule) {
        #expect(!rule.violations(in: SourceTree()).isEmpty)
    }

    /// Read once for all rules.
    private static let workspace = Task { try await SourceTree.workspace() }
}
