import ArgumentParser
import LarderApp
import LarderDomain

/// A command that opens the store, with all permissions. While the service runs, commands that read can open a SQLite
/// database, and all commands a PostgreSQL database.
protocol StoreCommand: AsyncParsableCommand {
    var options: StoreOptions { get }
    /// Whether the command only reads.
    static var isReading: Bool { get }

    func run(_ manager: any PersistencyManager, in container: Container) async throws
}

extension StoreCommand {
    static var isReading: Bool { false }

    func run() async throws { try await run(with: Program.container) }

    /// Runs with another container; tests use it.
    func run(with container: Container) async throws {
        var settings = try await options.settings()
        settings.isReadOnly = Self.isReading
        try await container.withManager(settings) { try await run($0, in: container) }
    }
}
