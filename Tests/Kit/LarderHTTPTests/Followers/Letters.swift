import ArgumentParser
import LarderApp
import LarderData
import LarderDomain
import LarderFollowers
import LarderFollowersService
import LarderHTTP

/// A service with followers: ``LoansAPI`` that sends letters to new persons.
struct Letters: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(name: "letters", title: "Letters")
    static let mappers = Loans.mappers + Followers.mappers
    static let configuration = CommandConfiguration(
        commandName: "letters", subcommands: [FollowersCommand<Letters>.self])
    static let container = LettersContainer()
}

// In another file than the container, as in a service.
extension LettersContainer: FollowersContainer {
    struct Failed: Error {}

    /// `letters` sets new persons named `bad` aside, and `names` stops at them, until there is a person named `good`.
    func followers(of api: LoansAPI) -> [Follower] {
        let handler: Follower.Handler = { changes, manager in
            for entry in changes.entries {
                guard try await manager.read(EntityID<Person>(entry.reference.id))?.entity.name == "bad" else {
                    continue
                }
                let names = try await manager.read(Query<Person>()).items.map(\.entity.name)
                guard names.contains("good") else { throw Failed() }
            }
        }
        var letters = Follower.calling("letters", changesOf: [Person.entityName], handler)
        letters.policy.attempts = 1
        var names = Follower.storing("names", changesOf: [Person.entityName], handler)
        (names.policy.attempts, names.policy.lastFailure) = (1, .stop)
        return [letters, names]
    }
}
