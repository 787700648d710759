#if Postgres
internal import LarderDomain
internal import LarderPostgres

/// A PostgreSQL database, as users write it: a connection string of libpq.
public struct PostgresLocation: Sendable, Hashable, CustomStringConvertible {
    let address: PostgresAddress

    /// Parses a URL of libpq, or `postgres:` and a list of its settings: `postgres:host=… dbname=…`.
    static func parse(_ text: String) throws(StoreLocationError) -> StoreLocation {
        let isURL = text.contains("://")
        do throws(PersistencyError) {
            let address = try PostgresAddress(isURL ? text : String(text.drop { $0 != ":" }.dropFirst()))
            return .postgres(PostgresLocation(address: address))
        } catch {
            throw StoreLocationError(ofDatabase: "\(error)")
        }
    }

    /// Whether the text contains a password.
    public var hasPassword: Bool { address.hasPassword }
    /// A URL without the password.
    public var description: String { address.description }
}
#else
/// A PostgreSQL database, of which this program has none: it was built without the trait `Postgres`.
public enum PostgresLocation: Sendable, Hashable, CustomStringConvertible {
    static func parse(_ text: String) throws(StoreLocationError) -> StoreLocation {
        throw StoreLocationError(
            ofDatabase: """
                this program was built without PostgreSQL; enable the kit's trait Postgres, in a service with \
                traits: [.defaults, "Postgres"] in its manifest, in the kit's repository with --traits default,Postgres
                """)
    }

    /// Whether the text contains a password.
    public var hasPassword: Bool { switch self {} }
    /// A URL without the password.
    public var description: String { switch self {} }
}
#endif
