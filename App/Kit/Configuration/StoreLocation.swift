#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// Where entities are kept, as a person writes it: `sqlite:PATH` or `memory:`.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite database in a file, made when it is missing.
    case sqlite(path: String)
    /// Nowhere but in memory: gone when the program ends.
    case memory
}

extension StoreLocation {
    /// The word before the colon.
    public var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .memory: "memory"
        }
    }

    /// The file that is not there yet; `nil` where it is there, or none is needed.
    public var missingPath: String? {
        guard case .sqlite(let path) = self, !FileManager.default.fileExists(atPath: path) else { return nil }
        return path
    }
}

extension StoreLocation: CustomStringConvertible {
    /// Reads a location. A `~/` at the beginning of a path is the home folder.
    ///
    /// - Throws: `StoreLocationError` for everything else.
    public init(_ text: String, environment: UserEnvironment) throws(StoreLocationError) {
        guard let colon = text.firstIndex(of: ":") else { throw StoreLocationError(text: text, trouble: .noKind) }
        let kind = text[..<colon]
        let path = String(text[text.index(after: colon)...])
        switch kind {
        case "sqlite":
            guard !path.isEmpty, !path.utf8.contains(0) else { throw StoreLocationError(text: text, trouble: .noPath) }
            self = .sqlite(path: environment.expanding(path))
        case "memory":
            guard path.isEmpty else { throw StoreLocationError(text: text, trouble: .unwantedPath) }
            self = .memory
        default: throw StoreLocationError(text: text, trouble: .unknownKind(String(kind)))
        }
    }

    /// The text that is read as this location.
    public var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .memory: "memory:"
        }
    }
}

/// A text that names no store.
public struct StoreLocationError: Error, Sendable, Equatable {
    /// What is wrong with it.
    public enum Trouble: Sendable, Equatable {
        /// There is no colon.
        case noKind
        /// A store of this kind needs a path.
        case noPath
        /// A store of this kind has no path.
        case unwantedPath
        /// There are no stores of this kind.
        case unknownKind(String)
    }

    /// The text.
    public let text: String
    /// What is wrong with it.
    public let trouble: Trouble
}

extension StoreLocationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        let why =
            switch trouble {
            case .noKind: "the kind of store is missing"
            case .noPath: "the path is missing"
            case .unwantedPath: "a store in memory has no path"
            case .unknownKind(let kind): "there are no stores of kind '\(kind)'"
            }
        return "'\(text)' is no store: \(why); write sqlite:PATH or memory:"
    }
}
