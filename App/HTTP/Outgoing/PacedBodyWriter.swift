internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Writes pieces to a connection, each after the connection's event loop has processed the one before.
///
/// Otherwise only a client that does not read slows down a body: NIO enqueues each piece as a task of the loop, and
/// counts its bytes when the task runs. A body that is produced faster than this would be completely in memory.
///
/// The writer is sent to the body that it was made for, and used only there. The connection, whose writer it wraps,
/// waits until the body has ended. Two threads therefore never use it at the same time, and the compiler does not need
/// to check that it is sendable.
struct PacedBodyWriter: ResponseBodyWriter, @unchecked Sendable {
    var base: any ResponseBodyWriter
    /// `nil` without a connection, as in a test.
    let loop: (any EventLoop)?

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(rest.readableBytes, OutgoingBytes.pieceBytes)),
            piece.readableBytes > 0
        {
            try await base.write(piece)
            // The loop runs its tasks in order.
            try await loop?.submit {}.get()
        }
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}
