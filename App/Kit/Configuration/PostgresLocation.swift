#if Postgres
internal import LarderDomain
internal import LarderPostgres

/// A PostgreSQL database, as users write it: a connection string of libpq.
public struct PostgresLocation: Sendable, Hashable, CustomStringConvertible {
    let address: PostgresAddress

    /// Parses a URL of libpq, or `postgres:` and a list of its settings: `postgres:host=… dbname=…`.
    init(location: String) throws(StoreLocationError) {
        let isURL = location.contains("://")
        do throws(PersistencyError) {
            address = try PostgresAddress(isURL ? location : String(location.drop { $0 != ":" }.dropFirst()))
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
    init(location: String) throws(StoreLocationError) {
        throw StoreLocationError(
            ofDatabase: "this program was built without PostgreSQL; build it with --traits default,Postgres")
    }

    /// Whether the text contains a password.
    public var hasPassword: Bool { switch self {} }
    /// A URL without the password.
    public var description: String { switch self {} }
}
#endif
