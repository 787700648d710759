internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Writes pieces to a connection, each when the connection's event loop has taken the one before.
///
/// Without that only a client that does not read slows down a body: NIO hands each piece to the loop as a task, and
/// counts it when the task runs. A body that is produced faster than the loop runs would be in memory as a whole.
///
/// It is sent to the body that it was made for, and then used by nobody else; the connection, whose writer it holds,
/// waits until that body has ended. So no two threads ever have it at the same time, which is why the compiler need not
/// check that it can be sent.
struct PacedBodyWriter: ResponseBodyWriter, @unchecked Sendable {
    var base: any ResponseBodyWriter
    /// `nil` where there is no connection, as in a test.
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
