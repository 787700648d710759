public import LarderDomain

/// Creates a user.
public struct RegisterUser: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// See ``User/email``.
        public let email: String
        /// See ``User/firstName``.
        public let firstName: String
        /// See ``User/lastName``.
        public let lastName: String
        /// See ``User/role``.
        public let role: Role

        /// Makes a request to create a user.
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

    /// Creates the user with a new id.
    ///
    /// - Throws: `InvalidField` naming `email`, `firstName`, or `lastName`; `duplicate` of `folded_email` if another
    ///   user has the address in any case; `forbidden` for a caller other than an admin.
    @discardableResult
    public func execute(_ request: Request) async throws -> Stored<User> {
        let user = try User(
            id: ids.next(), email: request.email, firstName: request.firstName, lastName: request.lastName,
            role: request.role)
        return try await storage.repositories.users.create(user)
    }
}
