/// The limits for clients of the server. A tick checks the deadlines, so an expired one is noticed late by up to a
/// quarter of the shortest of them, at most one second.
public struct ServerLimits: Sendable, Equatable {
    /// From the connection, or from the first byte of a later request, until the head of the request is complete.
    public var headerTimeout: Duration = .seconds(5)
    /// From the head until the body is complete, if `Content-Length` is at most ``jsonBodyBytes``.
    public var bodyTimeout: Duration = .seconds(7)
    /// The minimum rate of any other body in bytes per second, measured over each ``rateWindow``. Time in which the
    /// service itself does not read is not counted.
    public var bodyRate = 1024
    /// The time over which ``bodyRate`` is measured.
    public var rateWindow: Duration = .seconds(5)
    /// The maximum time between requests of a connection.
    public var idleTimeout: Duration = .seconds(60)
    /// The maximum time without progress of a response, because the client does not read.
    public var stallTimeout: Duration = .seconds(30)
    /// The maximum time of a request, which is then cancelled with 503. It restarts with each piece of the body.
    public var requestTimeout: Duration = .seconds(30)
    /// The time for reading an ended connection and discarding its input, so that the client gets the response.
    public var lingerTimeout: Duration = .seconds(2)
    /// The maximum number of discarded bytes before the connection is closed. It is more than the buffers of client and
    /// system can contain, so that bytes in transit at the time of a refusal do not cost the client its response.
    public var lingerBytes = 16 << 20
    /// The time after the end of a client's output until the service finds out whether the client waits for a response.
    public var departureDelay: Duration = .seconds(1)
    /// The time that a connection without a request stays open when the server stops, for a request in transit.
    public var drainIdle: Duration = .milliseconds(250)
    /// The maximum time for requests in progress after the server was told to stop.
    public var drainTimeout: Duration = .seconds(4)

    /// The maximum size of all header fields and the target of a request, in bytes.
    public var headerBytes = 32 * 1024
    /// The maximum number of header fields of a request.
    public var headerFields = 100
    /// The maximum size of a request's target in bytes: its path and query.
    public var targetBytes = 8 * 1024
    /// The maximum size of a JSON body in bytes.
    public var jsonBodyBytes = 256 * 1024

    /// The maximum number of simultaneous connections; further ones are answered with 503.
    public var connections = 1024
    /// The maximum number of simultaneous requests; further ones are answered with 503.
    public var requestsInFlight = 256
    /// The maximum number of simultaneous requests of one user; further ones are answered with 429.
    public var requestsPerCaller = 32
    /// The maximum rate of one user's requests each second; further ones are answered with 429. 0: not limited.
    public var requestRate = 0
    /// The maximum number of one user's requests at once, after a pause; 0 for ``requestRate``.
    public var requestBurst = 0
    /// The maximum rate of the requests of all callers without a valid token together; 0 for ``requestRate``.
    public var anonymousRate = 0
    /// The maximum number of idempotency keys of one user in 24 hours; further ones are answered with 429.
    public var keysPerCaller = 10_000

    /// The maximum number of simultaneous change streams; further ones are answered with 503.
    public var streams = 1000
    /// The maximum number of simultaneous change streams of one user; further ones are answered with 429.
    public var streamsPerCaller = 16
    /// The maximum time of a change stream. Clients reconnect, and resume after the last event.
    public var streamLifetime: Duration = .seconds(3600)

    /// The defaults.
    public init() {}
}

extension ServerLimits {
    /// The number of connections beyond ``connections`` that are accepted. They are for health checks and for requests
    /// with a token, one each; other requests get 503. Further connections wait until one ends.
    var reservedConnections: Int { max(8, connections / 8) }

    /// The limits of a connection in the reserve, which idle connections must not fill.
    var inReserve: ServerLimits {
        var limits = self
        limits.headerTimeout = min(headerTimeout, .seconds(1))
        return limits
    }

    /// The maximum number of simultaneous requests of all anonymous callers together; further ones get 503.
    var anonymousRequests: Int { max(1, requestsInFlight * 3 / 4) }

    /// The maximum number of simultaneous change streams of all anonymous callers together; further ones get 503.
    var anonymousStreams: Int { streams / 2 }

    /// The interval at which deadlines are checked.
    var tick: Duration {
        let shortest = [headerTimeout, bodyTimeout, rateWindow, idleTimeout, stallTimeout, lingerTimeout].min()
        return min(max((shortest ?? .seconds(4)) / 4, .milliseconds(10)), .seconds(1))
    }

    /// The time after a request until the connection is closed if no response has started: after its cancellation, the
    /// request has a few seconds to respond.
    var answerTimeout: Duration { requestTimeout + .seconds(5) }
}
