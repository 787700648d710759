import LarderData
import LarderDomain
import LarderHTTP
import LoansDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores the access tokens of users, which are deleted with their users.
enum UserTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "user")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}

/// Users see and revoke their own tokens, operators all; only operators issue them, because a stolen token could
/// otherwise issue others.
struct UserTokenPolicy: AccessPolicy {
    private let caller: User?

    init(_ caller: User?) {
        self.caller = caller
    }

    private var isOperator: Bool { caller?.isOperator ?? false }

    var visible: [Predicate<AccessToken>] {
        if isOperator { return [] }
        guard let id = caller?.id.rawValue else { return [Self.nothing] }
        return [#Predicate { $0.subject == id }]
    }
    func mayRead(_ token: AccessToken) -> Bool { isOperator || token.subject == caller?.id.rawValue }
    var mayCreateSome: Bool { isOperator }
    var mayUpdateSome: Bool { caller != nil }
    func mayCreate(_ token: AccessToken) -> Bool { isOperator }
    func mayUpdate(_ old: AccessToken, to new: AccessToken) -> Bool { mayRead(old) && old.subject == new.subject }
    func mayDelete(_ token: AccessToken) -> Bool { isOperator }
}

/// The operators, who issue the tokens of all users. `serve` registers the first one.
struct Operators: OperatorRegistry {
    let users: Users
    let tokens: AccessTokens
    let ids: any IDGenerator
    let nameForm = "a name of 1 to 100 characters"
    let standardName = "operator"

    func operators() async throws -> [RawID] {
        try await users.operators().map(\.id.rawValue)
    }

    func isTaken(_ name: String) async throws -> Bool {
        let user = try User(id: ids.next(), name: name)
        return try await users.named(user.name) != nil
    }

    func register(_ name: String) async throws -> RawID {
        let user = try User(id: ids.next(), name: name, isOperator: true)
        return try await users.create(user).id.rawValue
    }
}
