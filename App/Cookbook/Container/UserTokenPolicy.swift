internal import CookbookDomain
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Users see and revoke their own tokens, admins all; only admins create tokens, or a stolen token could create others.
struct UserTokenPolicy: AccessPolicy {
    private let caller: Caller

    init(_ caller: Caller) {
        self.caller = caller
    }

    var visible: [Predicate<AccessToken>] {
        if caller.isAdmin { return [] }
        guard let id = caller.userID?.rawValue else { return [Self.nothing] }
        return [#Predicate { $0.subject == id }]
    }
    func mayRead(_ token: AccessToken) -> Bool { caller.isAdmin || token.subject == caller.userID?.rawValue }
    var mayCreateSome: Bool { caller.isAdmin }
    var mayUpdateSome: Bool { caller.isKnown }
    func mayCreate(_ token: AccessToken) -> Bool { caller.isAdmin }
    func mayUpdate(_ old: AccessToken, to new: AccessToken) -> Bool { mayRead(old) && old.subject == new.subject }
    func mayDelete(_ token: AccessToken) -> Bool { caller.isAdmin }
}

/// Stores the tokens of users, which are deleted with their users.
enum UserTokenMapper: EntityMapper {
    static let mapping = AccessToken.mapping(subject: "user")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}
