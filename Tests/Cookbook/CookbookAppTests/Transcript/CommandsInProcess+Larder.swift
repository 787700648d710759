import LarderApp
import LarderData
import LarderHTTP
import LarderHTTP
import LarderInfrastructure
import LarderTesting

@testable import CookbookApp

extension CommandsInProcess<Larder> {
    /// Runs commands over one store in memory that all commands share, or over a log in a folder that each command
    /// opens.
    init(overFiles: Bool) async throws {
        var container = Container()
        let schemas = try MapperSet(Container.mappers).schemas
        if !overFiles {
            let kept = KeptStore(MemoryStore(schemas))
            container.openStore = { _, _ in kept }
        }
        try self.init(Larder.self) { [container] command in
            switch command {
            case let command as any CookbookCommand: try await command.run(with: container)
            case let command as ServeCommand<Larder>: try await command.run(with: container)
            default: try await CommandFrame.perform(command)
            }
        }
        if overFiles {
            let settings = StoreSettings(location: .file(folder: folder.path + "/larder"))
            variables["LARDER_STORE"] = settings.location.description
            // A command that only reads does not create a named store.
            try await settings.open(schemas).close()
        }
    }
}
