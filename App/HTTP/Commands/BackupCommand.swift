public import ArgumentParser
public import LarderApp
internal import LarderData
internal import LarderInfrastructure

/// `backup`: writes a backup of a store, also of one that a service has open.
public struct BackupCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "backup",
            abstract: "Writes everything in the store to one file.",
            discussion: """
                The file is read and checked before it gets its name, so that no partial backup is ever found under it. \
                A SQLite or PostgreSQL database may be in use. A file: store that a service has open is backed up by \
                the service: --service. The token of an operator is in \(Setting.serviceToken.variable).
                """)
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var replace = false

    @Option(help: Setting.service.help(valueName: "url"))
    var service: String?

    @Flag(help: "Send the token to --service without TLS, also to another machine.")
    var insecure = false

    @Flag(help: "Print the content as JSON.")
    var json = false

    public init() {}

    public func run() async throws {
        let sources = try await options.sources(with: [.service: service])
        guard replace || !BackupFile.exists(file) else {
            throw CommandFailure(
                .conflict, "\(file) exists already", advice: "Choose another name, or replace it with --replace.")
        }
        let backup: Backup
        if let service = try ServiceStore(sources, isInsecure: insecure) {
            try await options.record(act: "backup", ["file": file, "store": service.address])
            backup = try await service.backUp(to: file, replacing: replace)
        } else {
            let settings = try StoreSettings(sources)
            let schemas = try Program.schemas
            try await options.record(act: "backup", ["file": file])
            backup = try await BackupFile.progressing("backup") { progress in
                try await settings.backUp(schemas, to: file, replacing: replace, progress: progress)
            }
        }
        try BackupFile.print(backup, asJSON: json)
    }
}
