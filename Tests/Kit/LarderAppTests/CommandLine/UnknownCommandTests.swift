import ArgumentParser
import Testing

@testable import LarderApp

/// The messages for unknown commands.
struct UnknownCommandTests {
    private struct Root: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "tool", subcommands: [Cook.self, Group.self])
    }

    private struct Cook: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "cook")
    }

    private struct Group: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "things", subcommands: [Add.self])
    }

    private struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add")
    }

    @Test func `a misspelled word is distinguished from an unknown one, in each group`() {
        func answer(_ arguments: String...) -> CommandFailure? {
            CommandFailure.unknownCommand(in: arguments, of: Root.self)
        }
        #expect(answer("coook", "soup")?.message == "unknown command 'coook'")
        #expect(answer("coook")?.advice == "Did you mean 'cook'? See 'tool --help' for a list.")
        #expect(answer("bake")?.advice == "See 'tool --help' for a list.")
        #expect(
            answer("things", "ad")?.advice == "Did you mean 'things add'? See 'tool things --help' for a list.")
        #expect(answer("")?.message == "unknown command ''")
        #expect(answer("help", "coook")?.message == "unknown command 'coook'")
        #expect(answer("help", "things", "ad")?.message == "unknown command 'things ad'")
        for right in [
            ["cook", "soup"], ["things"], ["things", "--json"], ["help"], ["help", "cook"], ["help", "things", "add"],
            ["--help"], [],
        ] {
            #expect(CommandFailure.unknownCommand(in: right, of: Root.self) == nil)
        }
    }

    @Test func `an argument that takes quadratic time to compare is refused before the parser compares it`() async {
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 32_000)
        for (arguments, place) in [
            (["add", "--name", marks], "--name"), (["add", "--name=\(marks)"], "--name"),
            (["add", marks], "argument 2"), (["--\(marks)=x"], "argument 1"),
        ] {
            let failure = CommandFailure.longCombiningRun(in: arguments)
            #expect(failure?.message == "\(place) must not have more than 30 successive combining marks")
            #expect(await CommandFrame.run(Root.self, .current, arguments: arguments, perform: { _ in }) == 64)
        }
        #expect(CommandFailure.longCombiningRun(in: ["add", "--name", "각 👨‍👩‍👧‍👦"]) == nil)
    }

    @Test(
        arguments: [
            ("improt", "import"), ("lst", "list"), ("tag", "tags"), ("expört", "export"), ("x", nil), ("lists", "list"),
        ] as [(String, String?)])
    func `one letter in three may be wrong`(word: String, meant: String?) {
        #expect(word.nearest(of: ["import", "export", "list", "tags", "check"]) == meant)
    }
}
