public import ArgumentParser
public import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// `transfer`: copies everything from one store to another.
public struct TransferCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "transfer",
            abstract: "Copies everything from one store to a new store of any kind.",
            discussion: """
                The services of the source must be stopped, except with --live, which fills the target while they \
                continue. The same command without --live then transfers the changes that they have made since. An \
                interrupted transfer is continued by the same command.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Option(help: "The source, instead of --store.", completion: .list(["sqlite:", "file:", "postgres:"]))
    var from: String?

    @Option(help: "The target, which must not exist.", completion: .list(["sqlite:", "file:", "postgres:"]))
    var to: String

    @Option(help: "The path of the copy of the source, if neither store has a path.", completion: .file())
    var copy: String?

    @Flag(help: "Fill the target while the services of the source continue.")
    var live = false

    @Option(help: Setting.service.help(valueName: "url"))
    var service: String?

    @Flag(help: "Send the token to --service without TLS, also to another machine.")
    var insecure = false

    @Flag(help: "Print the content as JSON.")
    var json = false

    public init() {}

    public func validate() throws {
        if service != nil, !live { throw ValidationError("--service applies to --live") }
        if json, live { throw ValidationError("--live and --json exclude each other") }
    }

    public func run() async throws {
        let named: [Setting: String?] = from.map { [.store: $0] } ?? [:]
        let sources = try await options.sources(with: named.merging([.service: service]) { $1 })
        let (source, target) = (
            try StoreSettings(sources), try StoreSettings(try await options.sources(with: [.store: to]))
        )
        let transfer = try StoreTransfer(from: source, to: target, try Program.schemas, copy: copy)
        try await options.record(act: "transfer", ["store": "\(source.location)", "to": "\(target.location)"])
        guard live else {
            try BackupFile.print(try await transfer.run(), asJSON: json)
            return Terminal.warn(
                "transferred \(source.location) to \(target.location): set \(Setting.store.variable) to it")
        }
        let service = try ServiceStore(sources, isInsecure: insecure)
        let token = try await transfer.fill(
            by: service.map { service in { try await service.backUp(to: $0, replacing: false) } })
        Terminal.warn(
            "\(target.location) has the state of \(source.location) after commit \(token.position). Stop the services "
                + "of the source, run this command, and start them with the new store:\n  "
                + command(from: source.location, to: target.location))
    }

    /// The command that ends a transfer that has begun with `--live`.
    private func command(from source: StoreLocation, to target: StoreLocation) -> String {
        var words = [Program.identity.name, "transfer", "--from", "\(source)", "--to", "\(target)"]
        for (option, value) in [("--copy", copy), ("--config", options.config), ("--durability", options.durability)] {
            if let value { words += [option, value] }
        }
        return words.shellCommand
    }
}
