#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The location of a store, as users write it: `sqlite:PATH`, `file:DIR` or `memory:`.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite database in a file, created if missing.
    case sqlite(path: String)
    /// A log in a folder, created if missing.
    case file(folder: String)
    /// In memory only: lost when the program exits.
    case memory
}

extension StoreLocation {
    /// The word before the colon.
    public var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .file: "file"
        case .memory: "memory"
        }
    }

    /// The file or folder that does not contain a store yet; `nil` if the store exists or needs none.
    public var missingPath: String? {
        switch self {
        case .sqlite(let path): FileManager.default.fileExists(atPath: path) ? nil : path
        case .file(let folder): FileManager.default.fileExists(atPath: folder + "/larder.log") ? nil : folder
        case .memory: nil
        }
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
        default: throw StoreLocationError(text, "unknown kind '\(kind)'")
        }
    }

    /// The text that parses as this location.
    public var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .file(let folder): "file:\(folder)"
        case .memory: "memory:"
        }
    }
}

/// A text that is not a valid store location.
public struct StoreLocationError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ text: String, _ reason: String) {
        description = "invalid store '\(text)': \(reason); use sqlite:PATH, file:DIR, or memory:"
    }
}
