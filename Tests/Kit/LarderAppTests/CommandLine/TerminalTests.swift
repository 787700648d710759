import Testing

@testable import LarderApp

struct TerminalTests {
    private func traits(columns: Int? = 80, _ variables: [String: String] = ["TERM": "xterm"]) -> TerminalTraits {
        TerminalTraits(columns: columns, environment: UserEnvironment(variables))
    }

    @Test func `a terminal shows styles unless it or its user cannot have them`() {
        #expect(traits().styled("a", .strong) == "\u{1B}[1ma\u{1B}[0m")
        #expect(traits(["TERM": "xterm", "NO_COLOR": ""]).isStyled)
        #expect(!traits(["TERM": "xterm", "NO_COLOR": "0"]).isStyled)
        #expect(!traits(["TERM": "dumb"]).isStyled)
        #expect(!traits(["TERM": "dumb"]).isMovable)
        #expect(TerminalTraits.plain.styled("a", .trouble) == "a")
    }

    @Test func `the width is that of the environment, else that of the terminal, else guessed`() {
        #expect(traits(columns: 33).width == 33)
        #expect(traits(columns: 33, ["COLUMNS": "44"]).width == 44)
        #expect(traits(columns: 33, ["COLUMNS": "0"]).width == 33)
        #expect(traits(columns: 0, ["COLUMNS": "44"]).width == 44)
        #expect(traits(columns: nil, ["COLUMNS": "many"]).width == 80)
        #expect(TerminalTraits.plain.width == nil)
    }

    @Test func `control characters do not reach a terminal, and a pipe gets everything`() {
        #expect(traits().harmless("a\u{1B}[31m\tb\n\u{07}c\u{9B}d") == "a\\u{1B}[31m\tb\\n\\u{07}c\\u{009B}d")
        #expect(traits().harmless("a\u{202E}b\u{2028}c\u{200D}") == "a\\u{202E}b\\u{2028}c\u{200D}")
        #expect(TerminalTraits.plain.harmless("a\u{1B}") == "a\u{1B}")
    }

    @Test(arguments: [
        ("soup", 4, "soup"), ("soup", 3, "so…"), ("soup", 1, "…"), ("Crème brûlée", 6, "Crème…"), ("味噌汁", 6, "味噌汁"),
        ("味噌汁", 5, "味噌…"), ("味噌汁", 4, "味…"),
    ])
    func `a text is shortened by columns, not by characters`(text: String, limit: Int, expected: String) {
        #expect(text.shortened(to: limit) == expected)
    }

    @Test func `a table shortens columns of words first, then those of keys, and never numbers`() {
        var table = TextTable([.init("NAME"), .init("MINUTES", isNumber: true), .init("KEY", isKey: true)])
        table.add([String(repeating: "n", count: 30), "100", String(repeating: "k", count: 20)])
        #expect(table.lines()[1].columns == 61)
        #expect(table.lines(fitting: 61) == table.lines())
        #expect(table.lines(fitting: 50)[1] == "nnnnnnnnnnnnnnnnnn…      100  kkkkkkkkkkkkkkkkkkkk")
        #expect(table.lines(fitting: 35)[1] == "nnnnnnnnn…      100  kkkkkkkkkkkkk…")
        #expect(table.lines(fitting: 5)[1] == "nnnnnnnnn…      100  kkkkkkkkk…")
    }

    @Test func `the output and the errors of a command can be captured separately`() async throws {
        let caught = CapturedOutput()
        try await caught.during {
            try Terminal.output("said")
            Terminal.warn("wrong", title: "larder: ")
        }
        #expect(String(decoding: caught.output, as: UTF8.self) == "said\n")
        #expect(String(decoding: caught.errors, as: UTF8.self) == "larder: wrong\n")
    }
}
