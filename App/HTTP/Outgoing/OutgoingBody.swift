internal import NIOCore
public import Hummingbird
internal import LarderApp
private import Synchronization

/// The bytes of one response body. ``OutgoingBytes`` stores them until they are released or the last reference is.
public final class OutgoingBody: Sendable {
    enum Place: Sendable {
        /// In memory, at most one piece.
        case uncounted(ByteBuffer)
        case memory(ByteBuffer, WorkClaim)
        case file(Spool)
    }

    /// The number of bytes.
    public let count: Int
    private let place: Mutex<Place?>

    init(_ place: Place, count: Int) {
        self.place = Mutex(place)
        self.count = count
    }

    /// Releases the bytes; they can no longer be read.
    public func release() {
        // Outside the lock, because the last reference to a spool frees its part of the file.
        _ = place.withLock { $0.take() }
    }

    /// Writes the bytes in pieces, each after the client has received the one before. Does not finish the body.
    ///
    /// - Throws: `SpoolError` if the temporary file cannot be read; the errors of the writer.
    @concurrent public func write(to writer: inout any ResponseBodyWriter) async throws {
        var sent = 0
        while sent < count {
            let piece = try piece(from: sent)
            try await writer.write(piece)
            sent += piece.readableBytes
        }
    }

    /// A copy, because a slice would keep all bytes in memory until the connection has sent it.
    private func piece(from offset: Int) throws(SpoolError) -> ByteBuffer {
        let length = min(OutgoingBytes.pieceBytes, count - offset)
        switch place.withLock(\.self) {
        case nil: throw .failed("the bytes were released")
        case .uncounted(let buffer): return buffer
        case .memory(let buffer, _):
            let start = buffer.readableBytesView.startIndex + offset
            return ByteBuffer(bytes: buffer.readableBytesView[start..<start + length])
        case .file(let spool): return ByteBuffer(bytes: try spool.read(from: offset, atMost: length))
        }
    }
}
