internal import Hummingbird
internal import NIOCore

/// The body of a request. It suspends the request's timer while it waits for a piece.
struct TimedBody: AsyncSequence {
    let base: RequestBody
    let timer: RequestTimer

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), timer: timer) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let timer: RequestTimer

        @concurrent mutating func next() async throws -> ByteBuffer? {
            timer.stop()
            defer { timer.restart() }
            return try await base.next()
        }
    }
}
