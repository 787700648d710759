import Foundation
import LarderStoreContract
import Testing

/// Each requirement in a comment has an id, and each law names the ids that it tests.
///
/// `REWRITE_TRANSCRIPTS=1` writes the report, docs/requirements.md.
@Suite("The requirements")
struct RequirementsTests {
    @Test func `a law tests each requirement that can be tested`() throws {
        let requirements = try Requirements()
        #expect(requirements.findings.isEmpty, "\(requirements.findings.joined(separator: "\n"))")
        #expect(requirements.all.count > 300)
    }

    @Test func `the report lists the laws of each requirement`() throws {
        let url = URL(filePath: #filePath).appending(path: "../../../../../docs/requirements.md").standardizedFileURL
        let page = try String(contentsOf: url, encoding: .utf8)
        let marker = "<!-- requirements -->\n\n"
        let start = try #require(page.range(of: marker)?.upperBound)
        let report = try Requirements().report
        if ProcessInfo.processInfo.environment["REWRITE_TRANSCRIPTS"] == "1" {
            try (page[..<start] + report).write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(page[start...] == report)
        }
    }

    /// Two requirements and a law that tests them.
    private static let port = (name: "Port", text: "/// It stores [store.1], and reads [store.2].\n")
    private static let law = (name: "It stores", requirements: ["store.1", "store.2"])
    /// Enough requirements and laws that one of them is a small part.
    private static let many = (1...60).map { "many.\($0)" }
    private static let crowd = (name: "Crowd", text: many.map { "/// [\($0)]\n" }.joined())
    private static let all = (name: "It does many things", requirements: many)

    private static let fixtures: [(Requirements, String)] = [
        (Requirements([port, (name: "Other", text: "/// [store.2]\n")], laws: [law]), "store.2 is in 2 comments"),
        (Requirements([port]), "store.1 is tested by no law"),
        (
            Requirements([port], laws: [law, (name: "It sleeps", requirements: ["store.9"])]),
            "'It sleeps' names store.9, which is in no comment"
        ),
        (Requirements([port], laws: [law, (name: "It sleeps", requirements: [])]), "'It sleeps' names no requirement"),
        (
            Requirements([crowd, port], laws: [all, law], untestable: [(id: "store.1", reason: "")]),
            "store.1 is declared, and a law tests it"
        ),
        (
            Requirements([crowd, port], laws: [all, law], untested: ["store.9"]),
            "store.9 is declared, and is in no comment"
        ),
        (
            Requirements(
                [port], laws: [(name: "It stores", requirements: ["store.1"])],
                untestable: [(id: "store.2", reason: "")]), "1 of 2 are untestable"
        ),
        (
            Requirements([port], laws: [(name: "It stores", requirements: ["store.1"])], untested: ["store.2"]),
            "1 of 2 are not tested"
        ),
    ]

    @Test(arguments: fixtures.indices)
    func `each rule finds the fixture that breaks it`(number: Int) {
        let (requirements, finding) = Self.fixtures[number]
        #expect(requirements.findings.contains(finding), "\(requirements.findings)")
    }

    @Test func `the rules find nothing in requirements that keep them, and skip code and other brackets`() {
        let others = (name: "Others", text: "let list = [\"a.1\"]; // [store.3]\n/// [Note], [A.1] and [a.0]\n")
        let declared = Requirements(
            [Self.crowd, Self.port, others], laws: [Self.all], untestable: [(id: "store.1", reason: "")],
            untested: ["store.2"])
        #expect(declared.findings.isEmpty, "\(declared.findings)")
        #expect(declared.report.contains("1 laws test 60 of 61 requirements. 1 more cannot be tested."))
        #expect(declared.report.contains("- `Port`: store.1: –,–\n"))
    }

    @Test func `a broken law names its requirements`() async throws {
        struct NoStore: Error {}
        let fixture = StoreFixture("none") { _, _ in throw NoStore() }
        let law = try #require(StoreContract.laws.first { $0.requirements.count == 2 })
        let verdict = try #require(await StoreContract.judge(fixture, laws: [law]).first)
        let names = law.requirements.map { " [\($0)]" }.joined()
        #expect(verdict.description.hasSuffix(names))
    }
}
