import ArgumentParser
import LarderApp
import Testing

/// An error of an example domain.
private enum LoanError: ServiceError {
    case allOnLoan

    var exitStatus: LarderApp.ExitStatus { .conflict }
    var message: String { "all copies are on loan" }
    var advice: String? { "Reserve one: loans reserve TITLE" }
}

struct ServiceErrorTests {
    private struct Lend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "lend")

        func run() async throws { throw LoanError.allOnLoan }
    }

    @Test func `a command reports an error of the domain with its exit status, message and advice`() async {
        let output = CapturedOutput()
        let status = await output.during {
            await CommandFrame.run(Lend.self, ServiceIdentity(name: "loans", title: "Loans"), arguments: [])
        }
        #expect(status == LarderApp.ExitStatus.conflict.rawValue)
        #expect(
            String(decoding: output.errors, as: UTF8.self) == """
                loans: all copies are on loan
                Reserve one: loans reserve TITLE

                """)
    }
}
