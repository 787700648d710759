#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The location of a store, as users write it: `sqlite:PATH`, `file:DIR`, `postgres://…` or `memory:`, or a composition of
/// these: `mirrored(sqlite:PATH, file:DIR, required=1)`, `read-only(sqlite:PATH)`.
public indirect enum StoreLocation: Sendable, Hashable {
    /// A SQLite database in a file, created if missing.
    case sqlite(path: String)
    /// A log in a folder, created if missing.
    case file(folder: String)
    /// A PostgreSQL database, which several processes may use at the same time.
    case postgres(PostgresLocation)
    /// In memory only: lost when the program exits.
    case memory
    /// Commits to a primary, and then to mirrors, of which a number must have a commit before it is acknowledged.
    case mirrored(primary: StoreLocation, mirrors: [StoreLocation], required: Int)
    /// Refuses commits.
    case readOnly(StoreLocation)
}

extension StoreLocation {
    /// The word before the colon or parenthesis.
    public var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .file: "file"
        case .postgres: "postgres"
        case .memory: "memory"
        case .mirrored: "mirrored"
        case .readOnly: "read-only"
        }
    }

    /// The stores of a composition, the primary first; otherwise, this location.
    public var members: [StoreLocation] {
        switch self {
        case .mirrored(let primary, let mirrors, _): [primary] + mirrors
        case .readOnly(let base): base.members
        case .sqlite, .file, .postgres, .memory: [self]
        }
    }

    /// The file or folder that does not contain a store yet, for a composition that of its first member; `nil` if the
    /// store exists or has no path.
    public var missingPath: String? {
        switch self {
        case .sqlite(let path): FileManager.default.fileExists(atPath: path) ? nil : path
        case .file(let folder): FileManager.default.fileExists(atPath: folder + "/larder.log") ? nil : folder
        case .memory, .postgres: nil
        case .mirrored(let first, _, _), .readOnly(let first): first.missingPath
        }
    }
}

extension StoreLocation {
    /// Refuses a password on the command line, which other users of the machine can see.
    func checkCommandLine() throws(StoreLocationError) {
        for case .postgres(let database) in members where database.hasPassword {
            throw StoreLocationError(
                ofDatabase: "other users can see a password on the command line; set PGPASSWORD, or use ~/.pgpass")
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    /// Parses a location or a composition. A leading `~/` of a path is the home folder.
    ///
    /// - Throws: `StoreLocationError` for any other text.
    public init(_ text: String, environment: UserEnvironment) throws(StoreLocationError) {
        self =
            StoreNotation.isComposed(text)
            ? try StoreNotation.parse(text, environment) : try StoreLocation(plain: text, environment: environment)
    }

    init(plain text: String, environment: UserEnvironment) throws(StoreLocationError) {
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
        case .mirrored(let primary, let mirrors, let required):
            "mirrored(\(([primary] + mirrors).map(\.memberText).joined(separator: ", "))"
                + (required > 0 ? ", required=\(required))" : ")")
        case .readOnly(let base): "read-only(\(base.members.count > 1 ? base.description : base.memberText))"
        }
    }
}

/// A text that is not a valid store location.
public struct StoreLocationError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
    let reason: String

    /// Repeats the text.
    init(_ text: String, _ reason: String) {
        let shown = Self.mayHavePassword(text) ? "" : " '\(text)'"
        description = "invalid store\(shown): \(reason); use sqlite:PATH, file:DIR, postgres://…, or memory:"
        self.reason = reason
    }

    /// Points to the first wrong character of a composition.
    init(_ text: String, _ reason: String, column: Int) {
        description =
            Self.mayHavePassword(text)
            ? "invalid store: character \(column + 1): \(reason)"
            : "invalid store: \(reason)\n  \(text)\n  \(String(repeating: " ", count: column))^"
        self.reason = reason
    }

    /// Without the text, which may contain a password.
    init(ofDatabase reason: String) {
        description = "invalid store: \(reason)"
        self.reason = reason
    }

    /// Whether a text may be a URL with a password, also one with a wrong scheme. It is not repeated.
    private static func mayHavePassword(_ text: String) -> Bool { text.contains("://") || text.contains("postgres") }
}
