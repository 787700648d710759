import ArgumentParser
import LarderApp
import LarderHTTP

/// The program.
@main
struct Program: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(name: "loans", title: "Loans")
    static let mappers = Entities.mappers
    static let evolution = Entities.evolution
    static let container = Container()

    static let configuration = CommandConfiguration(
        commandName: identity.name, abstract: "The service \(identity.title), and its store.", version: "0.1.0",
        subcommands: [
            ServeCommand<Program>.self, ConfigCommand<Program>.self, CheckCommand<Program>.self,
            VerifyCommand<Program>.self, CompactCommand<Program>.self, LogCommand<Program>.self,
            MigrateCommand<Program>.self, BackupCommand<Program>.self, RestoreCommand<Program>.self,
            RenewCommand<Program>.self,
            TransferCommand<Program>.self, PassphraseCommand<Program>.self, PromoteCommand<Program>.self,
        ] + Entities.commands)

    static func main() async {
        await CommandFrame.main(Program.self, identity)
    }
}
