public import ArgumentParser
internal import LarderData

/// `passphrase`: seals a store, changes its passphrase, or removes its seal.
public struct PassphraseCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "passphrase",
            abstract: "Seals a store, changes its passphrase, or removes its seal.",
            discussion: """
                The settings have the present passphrase, if the store is sealed. The store is copied under the new \
                passphrase, and the copy replaces it. Change the settings afterwards.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Option(help: ArgumentHelp("A file with the new passphrase, which other users cannot read.", valueName: "path"))
    var newFile: String?

    @Flag(help: "Remove the seal: the store is plain afterwards.")
    var remove = false

    public init() {}

    public func validate() throws {
        guard (newFile != nil) != remove else { throw ValidationError("Give either --new-file or --remove.") }
    }

    public func run() async throws {
        let settings = try await options.settings()
        let new = try newFile.map { path throws(CommandFailure) in
            let path = UserEnvironment.current.expanding(path)
            return try Passphrase(text: PrivateFile.text(at: path), source: path)
        }
        try await options.record(act: remove ? "remove passphrase" : "change passphrase")
        try await settings.changePassphrase(to: new)
        try Terminal.output("\(settings.location) \(new == nil ? "is not sealed" : "is sealed by the new passphrase")")
    }
}
