#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A private file: it is unlinked as soon as it is created, and its space is freed when the process ends, however it
/// ends. Its content is encrypted.
package final class TemporaryFile: Sendable {
    private let descriptor: Int32
    private let pieces = SealedPieces()

    /// Creates a file in the system's folder for temporary files (`TMPDIR`), accessible to this user only.
    ///
    /// - Throws: ``SpoolError``.
    package init() throws(SpoolError) {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "\(ServiceIdentity.current.name)-\(UUID().uuidString)"
        ).path
        // Exclusive: fails if a file or a link of that name already exists.
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw .last }
        guard unsafe unlink(path) == 0 else {
            let error = SpoolError.last
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// Writes one piece. It may replace a piece at the same offset; otherwise, pieces must not overlap.
    package func write(_ plain: [UInt8], at offset: Int) throws(SpoolError) {
        let bytes = try pieces.seal(plain, at: offset)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            written += count
        }
    }

    /// At most `limit` bytes, of one piece; empty at the end.
    package func read(at offset: Int, atMost limit: Int) throws(SpoolError) -> [UInt8] {
        guard let piece = pieces.extent(at: offset) else { return [] }
        var bytes: [UInt8] = []
        while bytes.count < piece.count {
            let more = try stored(at: piece.offset + bytes.count, atMost: piece.count - bytes.count)
            if more.isEmpty { return [] }
            bytes += more
        }
        return Array(try pieces.open(bytes, at: piece.offset)[(offset - piece.offset)...].prefix(limit))
    }

    /// At most `limit` bytes as the file has them; empty at the end.
    private func stored(at offset: Int, atMost limit: Int) throws(SpoolError) -> [UInt8] {
        while true {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
                count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                initialized = max(0, count)
            }
            if count >= 0 { return bytes }
            guard errno == EINTR else { throw .last }
        }
    }
}

extension SpoolError {
    fileprivate static var last: SpoolError { .failed(unsafe String(cString: strerror(errno))) }
}
