#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A database's files as somebody outside finds them: bytes and times of the database and of its log.
///
/// The file that readers and writers agree by is left out: reading changes it.
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

    /// How many bytes the log has.
    var logBytes: Int { files["-wal"]?.bytes.count ?? 0 }
}
