public import ArgumentParser
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// `restore`: creates a store from a backup, or only checks the backup.
public struct RestoreCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore",
            abstract: "Creates the store from a backup of any kind of store.",
            discussion: """
                The backup is read and checked completely before anything is written, and the store is created as a \
                whole or not at all. An existing store remains, unless --replace is given. No service may have it open.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing store, which is lost.")
    var replace = false

    @Flag(help: "Read and check the whole backup, and restore nothing.")
    var verify = false

    @Flag(help: "Print the content as JSON.")
    var json = false

    public init() {}

    public func validate() throws {
        if verify, replace { throw ValidationError("--verify and --replace exclude each other") }
    }

    public func run() async throws {
        guard BackupFile.exists(file) else {
            throw CommandFailure(.notFound, "no backup exists at \(file)", advice: "Check the path.")
        }
        let settings = try await options.settings()
        let schemas = try Program.schemas
        if !verify { try await options.record(act: "restore", ["file": file]) }
        let backup: Backup
        do {
            backup = try await BackupFile.progressing(verify ? "verify" : "restore") { progress in
                if verify { return try await Backup.verify(file, progress: progress) }
                return try await settings.restore(file, schemas, replacing: replace, progress: progress)
            }
        } catch PersistencyError.incompatible(let why) {
            throw CommandFailure(.badInput, why, advice: verify ? nil : "Nothing was restored.")
        }
        try BackupFile.print(backup, asJSON: json)
        if !verify { Terminal.warn("restored \(settings.location)") }
    }
}
