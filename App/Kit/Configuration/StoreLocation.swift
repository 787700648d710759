#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The location of a store, as users write it: `sqlite:PATH`, `file:DIR`, `postgres://…` or `memory:`.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite database in a file, created if missing.
    case sqlite(path: String)
    /// A log in a folder, created if missing.
    case file(folder: String)
    /// A PostgreSQL database, which several processes may use at the same time.
    case postgres(PostgresLocation)
    /// In memory only: lost when the program exits.
    case memory
}

extension StoreLocation {
    /// The word before the colon.
    public var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .file: "file"
        case .postgres: "postgres"
        case .memory: "memory"
        }
    }

    /// The file or folder that does not contain a store yet; `nil` if the store exists or has no path.
    public var missingPath: String? {
        switch self {
        case .sqlite(let path): FileManager.default.fileExists(atPath: path) ? nil : path
        case .file(let folder): FileManager.default.fileExists(atPath: folder + "/larder.log") ? nil : folder
        case .memory, .postgres: nil
        }
    }
}

extension StoreLocation {
    /// Refuses a password on the command line, which other users of the machine can see.
    func checkCommandLine() throws(StoreLocationError) {
        guard case .postgres(let database) = self, database.hasPassword else { return }
        throw StoreLocationError(
            ofDatabase: "other users can see a password on the command line; set PGPASSWORD, or use ~/.pgpass")
    }
}

extension StoreLocation: CustomStringConvertible {
    /// Parses a location. A leading `~/` of a path is the home folder.
    ///
    /// - Throws: `StoreLocationError` for any other text.
    public init(_ text: String, environment: UserEnvironment) throws(StoreLocationError) {
        guard let colon = text.firstIndex(of: ":") else {
            throw StoreLocationError(text, "the kind of store is missing")
        }
        let kind = text[..<colon]
        let path = String(text[text.index(after: colon)...])
        switch kind {
        case "sqlite", "file":
            guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreLocationError(text, "the path is missing") }
            let path = environment.expanding(path)
            self = kind == "file" ? .file(folder: path) : .sqlite(path: path)
        case "memory":
            guard path.isEmpty else { throw StoreLocationError(text, "memory: takes no path") }
            self = .memory
        case "postgres", "postgresql": self = try PostgresLocation.parse(text)
        default: throw StoreLocationError(text, "unknown kind '\(kind)'")
        }
    }

    /// The text that parses as this location, without the password of a database.
    public var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .file(let folder): "file:\(folder)"
        case .postgres(let database): database.description
        case .memory: "memory:"
        }
    }
}

/// A text that is not a valid store location.
public struct StoreLocationError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ text: String, _ reason: String) {
        description = "invalid store '\(text)': \(reason); use sqlite:PATH, file:DIR, postgres://…, or memory:"
    }

    /// Without the text, which may contain a password.
    init(ofDatabase reason: String) {
        description = "invalid store: \(reason)"
    }
}
