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

/// The program that the long proofs drive: a service of the kit with a minimal domain that uses every feature.
@main
struct ProofProgram: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(name: "proof", title: "Proof")
    static let mappers: [any EntityMapper.Type] = [
        AccountMapper.self, LabelMapper.self, ItemMapper.self, EventMapper.self, FileMapper.self,
        AccountTokenMapper.self, StoredResponseMapper.self,
    ]
    static let configuration = CommandConfiguration(
        commandName: "proof", abstract: "Is driven by the long proofs.",
        subcommands: [
            ServeCommand<ProofProgram>.self, ImportCommand.self, RateCommand.self, ListCommand.self,
            ConfigCommand<ProofProgram>.self, CheckCommand<ProofProgram>.self, VerifyCommand<ProofProgram>.self,
            CompactCommand<ProofProgram>.self, LogCommand<ProofProgram>.self,
            BackupCommand<ProofProgram>.self, RestoreCommand<ProofProgram>.self,
            TransferCommand<ProofProgram>.self, PromoteCommand<ProofProgram>.self,
            PassphraseCommand<ProofProgram>.self,
        ])
    static let container = ProofContainer()

    static func main() async { await CommandFrame.main(ProofProgram.self, identity) }
}

struct ProofContainer: ServiceContainer {
    let openStore: @Sendable (StoreSettings, SchemaSet) async throws -> any Store = { try await $0.open($1) }

    func layers(over store: any Store, _ mappers: MapperSet, _ metrics: StoreMetrics) -> ServiceLayers {
        let observed = ObservedStore(store, metrics: metrics)
        let cached = CachedStore(observed, onLookup: metrics.noteLookup)
        let manager = StoreManager(cached, mappers: mappers, retry: metrics.retryPolicy)
        return ServiceLayers(store: observed, cache: cached, manager: manager)
    }

    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> ProofAPI {
        { ProofAPI($0, settings.server) }
    }
}

enum AccountTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "account")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
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
