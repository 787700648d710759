internal import ArgumentParser
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The program that the long proofs drive: a service of the kit with the smallest domain that shows everything.
@main
struct ProofProgram: AsyncParsableCommand, ServiceProgram {
    static let identity = ServiceIdentity(name: "proof", title: "Proof")
    static let mappers: [any EntityMapper.Type] = [
        AccountMapper.self, LabelMapper.self, ItemMapper.self, EventMapper.self, FileMapper.self,
        AccountTokenMapper.self, StoredAnswerMapper.self,
    ]
    static let configuration = CommandConfiguration(
        commandName: "proof", abstract: "Is driven by the long proofs.",
        subcommands: [
            ServeCommand.self, ImportCommand.self, RateCommand.self, RenameCommand.self, ListCommand.self,
            ConfigCommand<ProofProgram>.self, CheckCommand<ProofProgram>.self, VerifyCommand<ProofProgram>.self,
            CompactCommand<ProofProgram>.self, LogCommand<ProofProgram>.self,
        ])

    static func main() async { await CommandFrame.main(ProofProgram.self, identity) }
}

enum AccountTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "account")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serves items over HTTP.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var server: ServerOptions

    @Flag(help: "Print an operator's token, which is valid for a day.")
    var development = false

    func run() async throws {
        var reader = SettingReader(try await options.sources(with: server.flags))
        let settings = ServiceSettings(&reader, isDevelopment: development)
        try reader.check()
        let run = ServiceRun(settings, ProofProgram.identity, mappers: ProofProgram.mappers) {
            try await $0.open($1)
        } makeManager: {
            StoreManager($0, mappers: $1, retry: $2)
        }
        try await run.untilStopped {
            ProofAPI($0, settings.server)
        } onServing: { api, port in
            let manager = api.service.manager
            var owner = try await manager.read(Query<Account>(#Predicate { $0.isOperator })).entities.first
            owner =
                if let owner { owner } else {
                    try await manager.create(Account(id: ids.next(), name: "operator", isOperator: true)).entity
                }
            guard let owner, settings.isDevelopment else { return }
            let token = try await ProofAPI.tokens(manager).issue(
                to: owner.id.rawValue, label: "development", lifetime: .seconds(86_400))
            try Terminal.output("Proof serves \(settings.server.address(port: port))/")
            try Terminal.output("Token for development: \(token.secret.text)")
        }
    }
}

/// A command on an open store.
protocol StoreCommand: AsyncParsableCommand {
    static var isReadOnly: Bool { get }
    var options: StoreOptions { get }
    func run(over manager: any PersistencyManager) async throws
}

extension StoreCommand {
    static var isReadOnly: Bool { false }

    func run() async throws {
        var settings = try await options.settings()
        settings.isReadOnly = Self.isReadOnly
        let mappers = try MapperSet(ProofProgram.mappers)
        let store = try await settings.open(mappers.schemas)
        do {
            try await run(over: StoreManager(store, mappers: mappers))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}

struct ImportCommand: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "import", abstract: "Stores items from JSON lines.")

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file; - is standard input.")
    var file: String

    func run(over manager: any PersistencyManager) async throws {
        var work = Import(manager)
        do {
            try await work.take(path: file)
        } catch {
            try Terminal.output(json: work.report)
            throw error
        }
        try Terminal.output(json: work.report)
    }
}

struct RateCommand: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "rate", abstract: "Rates an item.")

    @OptionGroup var options: StoreOptions

    @Argument(help: "The item's code.")
    var code: String

    @Argument(help: "0 to 5.")
    var rating: Int

    func run(over manager: any PersistencyManager) async throws {
        let code = code
        try await manager.transaction { manager in
            guard var item = try await manager.read(Query<Item>(#Predicate { $0.code == code })).entities.first else {
                throw CommandFailure(.notFound, "no item has the code '\(code)'")
            }
            item.rating = rating
            try await manager.update(item)
        }
        try Terminal.output("\(code) is rated \(rating) of 5")
    }
}

struct RenameCommand: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Renames a label.")

    @OptionGroup var options: StoreOptions

    @Argument(help: "The label's name.")
    var old: String

    @Argument(help: "The new name.")
    var new: String

    func run(over manager: any PersistencyManager) async throws {
        let old = old
        try await manager.transaction { manager in
            guard var label = try await manager.read(Query<Label>(#Predicate { $0.name == old })).entities.first else {
                throw CommandFailure(.notFound, "no label has the name '\(old)'")
            }
            label.name = new
            try await manager.update(label)
        }
        try Terminal.output("\(old) is now \(new)")
    }
}

struct ListCommand: StoreCommand {
    static let isReadOnly = true
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Prints the codes of all items.")

    @OptionGroup var options: StoreOptions

    func run(over manager: any PersistencyManager) async throws {
        for item in try await manager.read(Query<Item>(sort: [Sort(\.name)])).entities {
            try Terminal.output(item.code ?? item.id.description)
        }
    }
}
