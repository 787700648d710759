#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A database's files as seen from outside: bytes and times of the database and of its log.
///
/// The shared-memory file is not included, because reads change it.
struct FileFootprint: Equatable {
    private struct File: Equatable {
        let bytes: Data
        let modified: Date?
    }

    private var files: [String: File] = [:]

    init(_ path: String) throws {
        for suffix in ["", "-wal"] {
            guard let bytes = FileManager.default.contents(atPath: path + suffix) else { continue }
            let modified = try FileManager.default.attributesOfItem(atPath: path + suffix)[.modificationDate] as? Date
            files[suffix] = File(bytes: bytes, modified: modified)
        }
    }

    /// The size of the log in bytes.
    var logBytes: Int { files["-wal"]?.bytes.count ?? 0 }
}
