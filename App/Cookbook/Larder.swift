internal import ArgumentParser
internal import CookbookData
internal import LarderApp
internal import LarderData
internal import LarderFollowersService
internal import LarderHTTP

@main
struct Larder: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(
        name: "larder", title: "Larder", operatorRole: "an admin", otherVariables: buildVariables)
    /// The variables of the workspace's build, tests and proof, whose prefix is that of the sample.
    private static let buildVariables: Set = [
        "CANARY", "CORE", "FUZZ", "OTHER_PROCESS", "POSTGRES_H", "PROOF", "RUN_SIZE", "SANITIZER", "SEED", "SQLITE_H",
        "TAPE", "TRACED_CALLS", "TRACED_FOLDER", "TRAITS", "WORKLOAD",
    ]
    /// The maximum size of a photo in bytes.
    static let photoBytes = 5 * 1024 * 1024
    static let photoRange = 1024...67_108_864
    static let photoSetting = Setting(
        "http-max-photo-bytes",
        "The maximum size of a photo in bytes, from \(photoRange.lowerBound) to \(photoRange.upperBound).")

    static let container = Container()
    static var mappers: [any EntityMapper.Type] { Container.mappers }
    static var evolution: SchemaEvolution { CookbookMappers.evolution }

    static func effectiveSettings(in sources: SettingSources) throws -> [EffectiveSetting] {
        [try sources.number(of: photoSetting, default: String(photoBytes))]
    }

    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Manages recipes in a replaceable store.",
        discussion: """
            Every command takes --store, or the variable LARDER_STORE: sqlite:PATH, file:DIR, postgres://…, memory:, \
            mirrored(STORE, STORE), or read-only(STORE); and --as EMAIL, to act as a user instead of as admin. Both \
            may precede the command. 'larder config' prints the settings.

            Your shell completes commands and options with the script that larder --generate-completion-script \
            prints for bash, zsh or fish.

            \(ExitStatus.help)
            """,
        version: "0.1.0",
        subcommands: [
            ImportCommand.self, ExportCommand.self, ListCommand.self, ShowCommand.self, RateCommand.self,
            CookCommand.self, FavouriteCommand.self, PhotoCommand.self, TagsCommand.self, BrandsCommand.self,
            UsersCommand.self, CookbooksCommand.self, SessionsCommand.self, StatsCommand.self,
            ConfigCommand<Larder>.self,
            CheckCommand<Larder>.self, VerifyCommand<Larder>.self, CompactCommand<Larder>.self, LogCommand<Larder>.self,
            PassphraseCommand<Larder>.self, PromoteCommand<Larder>.self, MigrateCommand<Larder>.self,
            BackupCommand<Larder>.self,
            RestoreCommand<Larder>.self, RenewCommand<Larder>.self,
            TransferCommand<Larder>.self, FollowersCommand<Larder>.self, ServeCommand<Larder>.self,
        ])

    static func main() async {
        await CommandFrame.main(Larder.self, identity)
    }
}
