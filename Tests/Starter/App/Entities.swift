import ArgumentParser
import LarderData
import LarderDomain
import LarderHTTP
import LoansData
import LoansDomain

/// The entities of the service: one line for each in every list. `make entity` and `make remove` change these lists.
enum Entities {
    /// The mappers of all entities in the store.
    static let mappers: [any EntityMapper.Type] = [
        BikeMapper.self,
        StoredResponseMapper.self,
        UserMapper.self,
        UserTokenMapper.self,
    ]

    /// The version of the schemas, and the steps that lead to it.
    static let evolution = SchemaEvolution(version: 1)

    /// The resources, whose routes are below `/v1`.
    static let resources: [any Resource<Scope>.Type] = [
        BikeResource.self,
        UserResource.self,
    ]

    /// The commands.
    static let commands: [any ParsableCommand.Type] = [
        BikesCommand.self,
        UsersCommand.self,
    ]

    /// The permissions of a caller; `nil` is an anonymous one.
    static func policies(for caller: User?) -> PolicySet {
        PolicySet([
            BikePolicy(caller),
            UserPolicy(caller),
            UserTokenPolicy(caller),
        ])
    }
}
