import CookbookDomain
import LarderDomain
import Testing

/// The ownership of an entity, relative to the caller.
enum Ownership: String, CaseIterable, Sendable {
    case own, foreign, nobodys
}

/// The callers: unauthenticated, each role, and the program.
enum CallerKind: String, CaseIterable, Sendable {
    case anonymous, reader, cook, admin, system

    var caller: Caller {
        switch self {
        case .anonymous: .anonymous
        case .reader: .user(Person.me, .reader)
        case .cook: .user(Person.me, .cook)
        case .admin: .user(Person.me, .admin)
        case .system: .system
        }
    }
}

/// The users of the tables.
enum Person {
    static let me: EntityID<User> = id(1)
    static let other: EntityID<User> = id(2)

    static func owner(_ ownership: Ownership) -> EntityID<User>? {
        switch ownership {
        case .own: me
        case .foreign: other
        case .nobodys: nil
        }
    }
}

extension AccessPolicy {
    /// The permissions, a letter for each: (r)ead, (c)reate, (u)pdate, (d)elete. An action that is refused before an
    /// entity is known must be refused for each entity.
    func allowed(_ old: Model, to new: Model) -> String {
        #expect(mayCreateSome || !mayCreate(old))
        #expect(mayUpdateSome || !mayUpdate(old, to: new))
        return [
            ("r", mayRead(old)), ("c", mayCreate(old)), ("u", mayRead(old) && mayUpdate(old, to: new)),
            ("d", mayRead(old) && mayDelete(old)),
        ].filter(\.1).map(\.0).joined()
    }
}

/// One line of a table: a caller's permissions for an entity with the given ownership, with open and with closed
/// reading.
struct PolicyLine: Sendable, CustomStringConvertible {
    let kind: CallerKind
    let ownership: Ownership
    let open: String
    let closed: String

    init(_ kind: CallerKind, _ ownership: Ownership, _ open: String, closed: String? = nil) {
        (self.kind, self.ownership, self.open, self.closed) = (kind, ownership, open, closed ?? open)
    }

    var description: String { "\(kind) \(ownership)" }
}
