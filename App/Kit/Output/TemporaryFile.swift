internal import LarderDomain
internal import LarderInfrastructure

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// A private file: it is unlinked as soon as it is created, and its space is freed when the process ends, however it
/// ends. Its content is encrypted.
package final class TemporaryFile: Sendable {
    private let file: POSIXFile
    private let pieces = SealedPieces()

    /// Creates a file in the system's folder for temporary files (`TMPDIR`), accessible to this user only.
    ///
    /// - Throws: ``SpoolError``.
    package init() throws(SpoolError) {
        let name = "\(ServiceIdentity.current.name)-\(UUID().uuidString)"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        do { file = try POSIXFile(temporary: path) } catch { throw SpoolError(error) }
    }

    /// Writes one piece. It may replace a piece at the same offset; otherwise, pieces must not overlap.
    package func write(_ plain: [UInt8], at offset: Int) throws(SpoolError) {
        let bytes = try pieces.seal(plain, at: offset)
        do { try file.writeAll(bytes, at: offset) } catch { throw SpoolError(error) }
    }

    /// At most `limit` bytes, of one piece; empty at the end.
    package func read(at offset: Int, atMost limit: Int) throws(SpoolError) -> [UInt8] {
        guard let piece = pieces.extent(at: offset) else { return [] }
        let bytes: [UInt8]
        do { bytes = try file.read(piece.count, at: piece.offset) } catch { throw SpoolError(error) }
        if bytes.count < piece.count { return [] }
        return Array(try pieces.open(bytes, at: piece.offset)[(offset - piece.offset)...].prefix(limit))
    }
}

extension SpoolError {
    fileprivate init(_ error: PersistencyError) {
        let reason = if case .unavailable(let trouble) = error { trouble.message } else { "\(error)" }
        self = .failed(reason)
    }
}
