import ArgumentParser
import LarderApp
import LarderData
import LarderDomain

/// A command that opens the store, with all permissions. While the service runs, only commands that read can open it.
protocol StoreCommand: AsyncParsableCommand {
    var options: StoreOptions { get }
    /// Whether the command only reads.
    static var isReading: Bool { get }

    func run(_ manager: any PersistencyManager) async throws
}

extension StoreCommand {
    static var isReading: Bool { false }

    func run() async throws {
        let mappers = try MapperSet(Entities.mappers, evolution: Entities.evolution)
        var settings = try await options.settings()
        settings.isReadOnly = Self.isReading
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
