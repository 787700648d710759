import LarderDomain
import Testing

@testable import LarderApp

struct OutputTests {
    @Test func `columns are as wide as their widest cell`() {
        var table = TextTable([.init("NAME"), .init("N", isNumber: true)])
        table.add(["Crème", "1"])
        table.add(["a\nb", "100"])
        table.add(["", ""])
        #expect(table.lines() == ["NAME     N", "Crème    1", "a\\nb   100", ""])
    }

    @Test func `a table without rows is its titles`() {
        #expect(TextTable([.init("A"), .init("B")]).lines() == ["A  B"])
    }

    @Test func `progress is a bar where the whole is known`() {
        let bar = ProgressBar.line("import", done: 3, fraction: 0.5)
        #expect(bar == "import [###############---------------] 50 %  3")
        #expect(ProgressBar.line("import", done: 3, fraction: 7).contains("100 %"))
        #expect(ProgressBar.line("import", done: 3, fraction: nil) == "import 3")
    }

    @Test func `each status has its own meaning`() {
        #expect(Set(LarderApp.ExitStatus.allCases.map(\.meaning)).count == LarderApp.ExitStatus.allCases.count)
        #expect(LarderApp.ExitStatus.help.contains("\n  65  invalid input\n"))
    }

    @Test(arguments: [
        (
            PersistencyError.notFound(EntityReference(entity: "A", id: RawID(high: 0, low: 1))),
            LarderApp.ExitStatus.notFound
        ),
        (.duplicate(Duplicate(entity: "A", columns: ["b"], existing: RawID(high: 0, low: 1))), .conflict),
        (.invalid(InvalidField(entity: "A", field: "b", reason: "must")), .badInput),
        (.alreadyOpen(holder: "process 1"), .busy), (.unavailable(Unavailable(.busy, "locked")), .busy),
        (.unavailable(Unavailable(.full, "no room")), .storeUnavailable), (.incompatible("newer"), .storeUnavailable),
        (.forbidden(Forbidden(.creating, "A")), .forbidden), (.cancelled, .internalError),
    ])
    func `an error of the layers below has a status and keeps its words`(
        error: PersistencyError, status: LarderApp.ExitStatus
    ) {
        #expect(CommandFailure(error)?.status == status)
        #expect(CommandFailure(error)?.message == error.description)
    }

    @Test func `an unknown error is no command failure`() {
        struct Stray: Error {}
        #expect(CommandFailure(Stray()) == nil)
    }
}
