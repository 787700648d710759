import CookbookDomain
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing

@testable import CookbookApp

/// The permissions on tokens.
struct UserTokenTests {
    private let container = Container()

    private func user(_ name: String, _ role: Role, in manager: any PersistencyManager) async throws -> User {
        let user = try User(
            id: container.ids.next(), email: "\(name)@example.org", firstName: name, lastName: "Lee", role: role)
        try await manager.create(user)
        return user
    }

    private func tokens(_ manager: any PersistencyManager, of caller: Caller) -> AccessTokens {
        container.openCookbook(for: caller, user: nil, manager, readingIsOpen: true).tokens
    }

    @Test func `users list and revoke their own tokens, and admins create, list and revoke all`() async throws {
        let manager = try await emptyManager(container)
        let (ann, bob) = (
            try await user("ann", .cook, in: manager), try await user("bob", .reader, in: manager)
        )
        let admin = try await user("ada", .admin, in: manager)
        let own = try await tokens(manager, of: .system).issue(to: ann.id.rawValue, label: "own").token
        let given = try await tokens(manager, of: Caller(admin)).issue(to: ann.id.rawValue, label: "given").token
        for caller in [Caller(ann), Caller(admin), .system] {
            let labels = try await tokens(manager, of: caller).issued(to: ann.id.rawValue).map(\.label)
            #expect(Set(labels) == ["own", "given"])
        }
        for caller in [Caller(bob), .anonymous] {
            let tokens = tokens(manager, of: caller)
            #expect(try await tokens.issued(to: ann.id.rawValue).isEmpty)
            let denied = await #expect(throws: PersistencyError.self) {
                try await tokens.issue(to: ann.id.rawValue, label: "stolen")
            }
            guard case .forbidden = denied else { return #expect(Bool(false), "\(denied as Any)") }
            let hidden = await #expect(throws: PersistencyError.self) { try await tokens.revoke(own.id) }
            guard case .notFound = hidden else { return #expect(Bool(false), "\(hidden as Any)") }
        }
        let another = await #expect(throws: PersistencyError.self) {
            try await tokens(manager, of: Caller(ann)).issue(to: ann.id.rawValue, label: "another")
        }
        guard case .forbidden = another else { return #expect(Bool(false), "\(another as Any)") }
        #expect(try await tokens(manager, of: Caller(ann)).revoke(given.id).revokedAt != nil)
        #expect(try await tokens(manager, of: Caller(admin)).revoke(own.id).revokedAt != nil)
    }

    @Test func `deleting a user deletes the user's tokens`() async throws {
        let manager = try await emptyManager(container)
        let ann = try await user("ann", .cook, in: manager)
        let all = AccessTokens(manager: manager, prefix: "larder_")
        let secret = try await all.issue(to: ann.id.rawValue, label: "own").secret
        #expect(try await all.check(secret.text).token?.subject == ann.id.rawValue)
        let open = container.openCookbook(for: .system, user: nil, manager, readingIsOpen: true)
        try await open.users.delete(ann.id)
        guard case .refused(.unknown) = try await all.check(secret.text) else { return #expect(Bool(false)) }
    }
}
