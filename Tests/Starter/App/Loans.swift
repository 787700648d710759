import ArgumentParser
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansData

/// The program.
@main
struct Loans: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(name: "loans", title: "Loans", operatorRole: "a librarian")

    static var mappers: [any EntityMapper.Type] {
        [BookMapper.self, MemberMapper.self, MemberTokenMapper.self, StoredAnswerMapper.self]
    }

    static func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> LoansAPI {
        { LoansAPI($0, settings.server) }
    }

    static let configuration = CommandConfiguration(
        commandName: "loans",
        abstract: "Keeps the books of a library, and who has borrowed them.",
        version: "0.1.0",
        subcommands: [
            AddMemberCommand.self, BooksCommand.self, LendCommand.self, ServeCommand<Loans>.self,
            ConfigCommand<Loans>.self,
            CheckCommand<Loans>.self, VerifyCommand<Loans>.self, CompactCommand<Loans>.self, LogCommand<Loans>.self,
        ])

    static func main() async {
        await CommandFrame.main(Loans.self, identity)
    }
}

/// Stores the access tokens of members.
enum MemberTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "member")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}
