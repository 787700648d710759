public import LarderDomain

/// A user of the cookbook service.
public struct User: Entity {
    /// The user.
    public let id: EntityID<User>
    /// The email address, in the original spelling, up to 254 bytes; unique in any case.
    public let email: String
    /// 1 to 100 characters.
    public let firstName: String
    /// 1 to 100 characters.
    public let lastName: String
    /// The role, which determines the permissions.
    public let role: Role

    /// Makes a user.
    ///
    /// Only the syntax of the address is checked; delivery is not.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming `email`, `firstName` or `lastName`.
    public init(
        id: EntityID<User>, email: String, firstName: String, lastName: String, role: Role,
        limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(User.self, limits)
        let email = limits == .current ? try Self.limited(email, check) : email
        guard !email.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) else {
            throw check.refusal("email", "must not contain blanks or control characters")
        }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw check.refusal("email", "must have one @ with text before and after it")
        }
        self.firstName = try check.text(firstName, "firstName", atMost: 100)
        self.lastName = try check.text(lastName, "lastName", atMost: 100)
        self.id = id
        self.email = email
        self.role = role
    }

    /// The address in normalization form C, which may have at most 254 bytes.
    private static func limited(_ email: String, _ check: FieldCheck) throws(InvalidField) -> String {
        do throws(TextRefusal) {
            let composed = try email.composed(atMost: 254)
            guard composed.utf8.count <= 254 else { throw TextRefusal.tooLong(limit: 254) }
            return composed
        } catch {
            if case .tooLong = error { throw check.refusal("email", "must have at most 254 bytes") }
            throw check.refusal("email", error.description)
        }
    }

    /// The role in the form that predicates compare.
    public var roleText: String { role.rawValue }

    /// The address for case-insensitive comparisons.
    public var foldedEmail: String { email.lowercased() }
}
