public import LarderDomain

/// Makes somebody known.
public struct RegisterUser: Sendable {
    /// Who, in which role.
    public struct Request: Sendable {
        /// See ``User/email``.
        public let email: String
        /// See ``User/firstName``.
        public let firstName: String
        /// See ``User/lastName``.
        public let lastName: String
        /// See ``User/role``.
        public let role: Role

        /// Asks for a user.
        public init(email: String, firstName: String, lastName: String, role: Role = .reader) {
            self.email = email
            self.firstName = firstName
            self.lastName = lastName
            self.role = role
        }
    }

    private let storage: CookbookStorage
    private let ids: any IDGenerator

    /// Makes the use case.
    public init(storage: CookbookStorage, ids: any IDGenerator) {
        self.storage = storage
        self.ids = ids
    }

    /// Registers the user under a new id.
    ///
    /// - Throws: `InvalidField` naming `email`, `firstName` or `lastName`; `duplicate` of `folded_email` when somebody has
    ///   the address in any case; `forbidden` for anybody but an admin.
    @discardableResult
    public func execute(_ request: Request) async throws -> Stored<User> {
        let user = try User(
            id: ids.next(), email: request.email, firstName: request.firstName, lastName: request.lastName,
            role: request.role)
        return try await storage.repositories.users.create(user)
    }
}
