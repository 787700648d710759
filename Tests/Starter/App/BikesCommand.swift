import ArgumentParser
import LarderApp
import LarderDomain
import LoansDomain

/// `bikes`
struct BikesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bikes", abstract: "Lists, adds and lends bikes.", subcommands: [List.self, Add.self, Lend.self],
        defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the bikes by name.")
        static let isReading = true
        @OptionGroup var options: StoreOptions

        func run(_ manager: any PersistencyManager, in container: Container) async throws {
            for bike in try await Bikes(manager).read(Query(sort: [Sort(\.name)])).entities {
                try Terminal.output("\(bike.id) \(bike.name)\(bike.borrower == nil ? "" : " (lent)")")
            }
        }
    }

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a bike, and prints its id.")
        @OptionGroup var options: StoreOptions
        @Argument(help: "The name.") var name: String

        func run(_ manager: any PersistencyManager, in container: Container) async throws {
            let bike = try Bike(id: container.ids.next(), name: name)
            try Terminal.output(try await Bikes(manager).create(bike).id.description)
        }
    }

    struct Lend: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Lends a bike to a user.")
        @OptionGroup var options: StoreOptions
        @Argument(help: "The id of the bike.") var bike: EntityID<Bike>
        @Option(help: "The name of the user.") var to: String

        func run(_ manager: any PersistencyManager, in container: Container) async throws {
            guard let user = try await Users(manager).named(to) else {
                throw CommandFailure(.notFound, "no user has the name '\(to)'")
            }
            let lent = try await LendBike(manager).execute(bike, to: user.id).entity
            try Terminal.output("Lent \(lent.name) to \(user.name).")
        }
    }
}
