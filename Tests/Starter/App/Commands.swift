import ArgumentParser
public import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
public import LoansDomain

/// A command that opens the store.
protocol LoansCommand: AsyncParsableCommand {
    var options: StoreOptions { get }
    /// Whether the command only reads, so that it can run while a service writes.
    var isReading: Bool { get }

    func run(_ manager: any PersistencyManager) async throws
}

extension LoansCommand {
    var isReading: Bool { false }

    func run() async throws {
        let mappers = try MapperSet(Loans.mappers)
        var settings = try await options.settings()
        settings.isReadOnly = isReading
        let store = try await settings.open(mappers.schemas)
        do {
            try await run(StoreManager(store, mappers: mappers))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}

/// `loans add-member`
struct AddMemberCommand: LoansCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-member", abstract: "Adds a member, and prints a token for the service.")

    @OptionGroup var options: StoreOptions
    @Argument(help: "The name.") var name: String
    @Flag(help: "The member may read the metrics of the service.") var librarian = false

    func run(_ manager: any PersistencyManager) async throws {
        let member = try Member(id: UUIDv7Generator().next(), name: name, isLibrarian: librarian)
        try await manager.create(member)
        let tokens = AccessTokens(manager: manager, prefix: Loans.identity.tokenPrefix)
        try Terminal.output(try await tokens.issue(to: member.id.rawValue, label: "first").secret.text)
    }
}

/// `loans books`
struct BooksCommand: LoansCommand {
    static let configuration = CommandConfiguration(commandName: "books", abstract: "Lists the books by title.")

    @OptionGroup var options: StoreOptions
    @Option(help: "Add a book with this title first.") var add: String?

    var isReading: Bool { add == nil }

    func run(_ manager: any PersistencyManager) async throws {
        if let add { try await manager.create(Book(id: UUIDv7Generator().next(), title: add)) }
        for book in try await manager.read(Query<Book>(sort: [Sort(\.title)])).entities {
            try Terminal.output("\(book.id) \(book.title)\(book.borrower == nil ? "" : " (lent)")")
        }
    }
}

/// `loans lend`
struct LendCommand: LoansCommand {
    static let configuration = CommandConfiguration(commandName: "lend", abstract: "Lends a book to a member.")

    @OptionGroup var options: StoreOptions
    @Argument(help: "The id of the book.") var book: String
    @Option(help: "The name of the member.") var to: String

    func run(_ manager: any PersistencyManager) async throws {
        guard let id = EntityID<Book>(book) else { throw CommandFailure(.usage, "'\(book)' is not an id") }
        let members = try await manager.read(Query<Member>()).entities
        guard let member = members.first(where: { $0.name == to }) else {
            throw CommandFailure(.notFound, "no member has the name '\(to)'")
        }
        let lent = try await LendBook(manager).execute(id, to: member.id).entity
        try Terminal.output("Lent \(lent.title) to \(member.name).")
    }
}

extension AlreadyLent: ServiceError {
    /// For commands; routes respond with the problem of the same meaning.
    public var exitStatus: ExitStatus { .conflict }
    public var message: String { "'\(title)' is already lent" }
}
