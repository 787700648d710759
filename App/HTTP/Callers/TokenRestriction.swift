public import LarderData
public import LarderDomain

/// The only permissions that a restricted token gives, if its owner has them. All other requests with it are refused.
public struct TokenRestriction: Hashable, Sendable {
    /// The permissions; empty if only a later version knows them.
    public let permissions: Set<OperatorPermission>

    /// The permissions that a token can be restricted to. With another one, it could issue a token without a restriction.
    public static let possible: Set<OperatorPermission> = [.readMetrics, .backUp]

    /// - Throws: `InvalidField` naming `permissions` if there is none, or one that is not ``possible``.
    public init(_ permissions: Set<OperatorPermission>) throws(InvalidField) {
        guard !permissions.isEmpty, permissions.isSubset(of: Self.possible) else {
            throw InvalidField(AccessToken.self, "permissions", Self.form)
        }
        self.permissions = permissions
    }

    /// The names of the permissions, in the order of their declaration.
    public var names: [String] { Self.names(of: permissions) }

    /// The form of a permission, for errors.
    static var form: String { "must be " + names(of: possible).joined(separator: " or ") }

    private static func names(of permissions: Set<OperatorPermission>) -> [String] {
        OperatorPermission.allCases.filter(permissions.contains).map(\.rawValue)
    }

    /// Refuses a request that the restriction does not permit.
    var problem: Problem {
        Problem(.forbidden, "The token is restricted to: \(names.joined(separator: ", ")).")
    }
}

extension TokenRestriction: ColumnValue {
    public static var columnType: ColumnType { .text }

    public func columnValue() -> Value { .text(names.joined(separator: " ")) }

    /// Omits permissions that only a later version knows.
    public init?(columnValue: Value) {
        guard case .text(let text) = columnValue else { return nil }
        permissions = Set(text.split(separator: " ").compactMap { OperatorPermission(rawValue: String($0)) })
    }
}
