import ArgumentParser
import Foundation
import LarderApp
import LarderData
import LarderDomain
import Hummingbird
import LarderHTTP

/// A service with an invented name, which consists only of the kit's parts.
struct Loans: AsyncParsableCommand, HTTPProgram {
    static let identity = ServiceIdentity(name: "my-loans", title: "My Loans", operatorRole: "a librarian")
    static let mappers: [any EntityMapper.Type] = [
        PersonMapper.self, PersonTokenMapper.self, StoredResponseMapper.self,
    ]
    static let configuration = CommandConfiguration(
        commandName: "my-loans",
        subcommands: [
            CheckCommand<Loans>.self, CompactCommand<Loans>.self, ConfigCommand<Loans>.self, LogCommand<Loans>.self,
            ServeCommand<Loans>.self, VerifyCommand<Loans>.self, BackupCommand<Loans>.self, RestoreCommand<Loans>.self,
            TransferCommand<Loans>.self, MigrateCommand<Loans>.self, PassphraseCommand<Loans>.self,
            PromoteCommand<Loans>.self, RenewCommand<Loans>.self,
        ])
    static let container = LoansContainer()
}

struct LoansContainer: TestContainer {
    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> LoansAPI {
        { LoansAPI($0, settings.server.limits) }
    }
}

/// All callers with a token are librarians.
struct Librarian: ServiceCaller {
    let key: String
    let operatorPermissions: Set<OperatorPermission>
}

struct LoansAPI: ServiceAPI {
    let identity = Loans.identity
    let service: ResourceService<Librarian, Persons>
    let tokens: AccessTokens
    var operators: (any OperatorRegistry)? { service.scope(service.manager, nil) }

    init(
        _ manager: any PersistencyManager, _ limits: ServerLimits = ServerLimits(),
        permissions: Set<OperatorPermission> = .all
    ) {
        let tokens = AccessTokens(manager: manager, prefix: identity.tokenPrefix)
        self.tokens = tokens
        service = ResourceService(
            manager: manager,
            authenticator: AccessTokenAuthenticator(tokens) {
                Librarian(key: "\($0)", operatorPermissions: permissions)
            }, readingIsOpen: true, limits: limits, responses: ResponseKeeper()
        ) { manager, _ in Persons(manager: manager, tokens: tokens) }
    }

    func addRoutes(to group: RouterGroup<CallerContext<Librarian>>, _ parts: ServiceParts) {
        service.add([PersonResource.self], to: group)
        TokenRoutes<Librarian, Persons, Person>(service, collection: "persons", tokens: \.tokens) { _, _, _ in }
            .add(to: group)
        ChangesRoute(service, parts) { _ in PolicySet([OwnerPolicy<Person>()]) }.add(to: group)
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(
                identity, resources: [PersonResource.self], tokenOwners: "persons",
                assets: assets)
        }
    }
}

struct Persons: EntityRepository, OperatorRegistry {
    typealias Model = Person

    let manager: any PersistencyManager
    let tokens: AccessTokens
    let nameForm = "a name"
    let standardName = "ann"

    func operators() async throws -> [RawID] { try await read().items.map(\.id.rawValue) }
    func isTaken(_ name: String) async throws -> Bool { false }
    func register(_ name: String) async throws -> RawID {
        try await create(Person(id: EntityID(UUIDv7Generator().next()), name: name)).id.rawValue
    }
}

enum PersonResource: Resource {
    static let name = "persons"
    static let members: [ResourceMember] = [.id, .init("name", .text(80), .required), .createdAt]
    static let fingerprint = SchemaFingerprint(PersonMapper.mapping.schema, members: members)
    static let isPrivate = false

    static func repository(in persons: Persons) -> any EntityRepository<Person> { persons }
    static func filter(from parameters: inout QueryParameters) -> Query<Person> { Query() }
    static func represent(_ items: [Stored<Person>], in persons: Persons) -> [Representation] {
        items.map { person in
            Representation(json: .object([.init("id", .string("\(person.id)")), .init("name", .string(person.name))]))
        }
    }
    static func entity(
        from fields: inout JSONFields, replacing old: Person?, in persons: Persons
    ) throws(InvalidFields) -> Person {
        let name = try fields.check(fields.requiredString("name"))
        return Person(id: old?.id ?? EntityID(UUIDv7Generator().next()), name: name)
    }
}
