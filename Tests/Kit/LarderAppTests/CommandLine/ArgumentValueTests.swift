import ArgumentParser
import LarderApp
import LarderDomain
import Testing

struct ArgumentValueTests {
    private struct Loan: Entity {
        let id: EntityID<Loan>
    }

    private struct Lend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [Now.self])

        struct Now: AsyncParsableCommand {
            @Argument var loan: EntityID<Loan>
            @Option var day: CalendarDay?
            @Option var at: Timestamp?
            @Option var fee: ExactDecimal?
        }
    }

    @Test func `ids, days, instants and decimals are arguments of commands`() throws {
        let id = EntityID<Loan>(RawID(high: 1, low: 2))
        let words = ["\(id)", "--day", "2026-03-01", "--at", "1970-01-01T00:00:01Z", "--fee", "12.50"]
        let lend = try Lend.Now.parse(words)
        #expect(lend.loan == id)
        #expect(lend.day == CalendarDay(year: 2026, month: 3, day: 1))
        #expect(lend.at == Timestamp(microseconds: 1_000_000))
        #expect(lend.fee == ExactDecimal(units: 1250, scale: 2))
        for index in words.indices where !words[index].hasPrefix("--") {
            var wrong = words
            wrong[index] = "x"
            #expect(throws: (any Error).self) { try Lend.Now.parse(wrong) }
        }
    }

    @Test func `a subcommand without its own name is known, and an invalid argument is named`() async {
        let output = CapturedOutput()
        let status = await output.during {
            await CommandFrame.run(Lend.self, ServiceIdentity(name: "lend", title: "Lend"), arguments: ["now", "x"])
        }
        #expect(status == LarderApp.ExitStatus.usage.rawValue)
        #expect(String(decoding: output.errors, as: UTF8.self).contains("'x' is invalid for '<loan>'"))
    }
}
