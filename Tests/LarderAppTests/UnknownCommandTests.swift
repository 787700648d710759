import ArgumentParser
import Testing

@testable import LarderApp

/// What is said of a word that is no command.
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

    @Test func `a slip is told from a word that is far from all, in each group`() {
        func answer(_ arguments: String...) -> CommandFailure? {
            CommandFailure.unknownCommand(in: arguments, of: Root.self)
        }
        #expect(answer("coook", "soup")?.message == "there is no command 'coook'")
        #expect(answer("coook")?.advice == "Did you mean 'cook'? See 'tool --help' for what there is.")
        #expect(answer("bake")?.advice == "See 'tool --help' for what there is.")
        #expect(
            answer("things", "ad")?.advice == "Did you mean 'things add'? See 'tool things --help' for what there is.")
        #expect(answer("") != nil)
        for right in [["cook", "soup"], ["things"], ["things", "--json"], ["help", "coook"], ["--help"], []] {
            #expect(CommandFailure.unknownCommand(in: right, of: Root.self) == nil)
        }
    }

    @Test(
        arguments: [
            ("improt", "import"), ("lst", "list"), ("tag", "tags"), ("expört", "export"), ("x", nil), ("lists", "list"),
        ] as [(String, String?)])
    func `one letter in three may be wrong`(word: String, meant: String?) {
        #expect(word.nearest(of: ["import", "export", "list", "tags", "check"]) == meant)
    }
}
