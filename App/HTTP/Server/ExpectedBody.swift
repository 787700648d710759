internal import Hummingbird
internal import NIOCore

/// Signals that the service starts to read a body for which the client may wait for `100 Continue`.
struct BodyWanted: Sendable {}

/// The body of a request with `Expect: 100-continue`: it is requested when it is read, and not before.
struct ExpectedBody: AsyncSequence, Sendable {
    let base: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), channel: channel) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let channel: any Channel
        var isAskedFor = false

        @concurrent mutating func next() async throws -> ByteBuffer? {
            if !isAskedFor {
                isAskedFor = true
                try? await channel.triggerUserOutboundEvent(BodyWanted())
            }
            return try await base.next()
        }
    }
}

extension Request {
    /// The request with a body that is requested when it is read, if the client waits for that.
    func askedForOnDemand(over channel: any Channel) -> Request {
        guard headers[.expect]?.lowercased() == "100-continue" else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: ExpectedBody(base: body, channel: channel))
        return request
    }
}
