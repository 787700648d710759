/// What a client may use of the server. Deadlines are kept by a tick, so that an expired one is noticed up to a quarter
/// of the shortest of them later, a second at most.
public struct ServerLimits: Sendable, Equatable {
    /// From the connection, or from the first byte of a later request, until the head of the request is complete.
    public var headerTimeout: Duration = .seconds(5)
    /// From the head until the whole body is there, where `Content-Length` is at most ``jsonBodyBytes``.
    public var bodyTimeout: Duration = .seconds(7)
    /// How fast any other body must come, in bytes a second, measured over each ``rateWindow``. Time in which the
    /// service itself does not read is not counted.
    public var bodyRate = 1024
    /// Over how long ``bodyRate`` is measured.
    public var rateWindow: Duration = .seconds(5)
    /// How long a connection may wait for its next request.
    public var idleTimeout: Duration = .seconds(60)
    /// How long an answer may make no way because the client does not read.
    public var stallTimeout: Duration = .seconds(30)
    /// How long a request is worked on before it is cancelled and answered with 503; anew from each piece of its body on.
    public var requestTimeout: Duration = .seconds(30)
    /// How long an ended connection is still read, and what comes thrown away, so that the client gets the answer.
    public var lingerTimeout: Duration = .seconds(2)
    /// How many bytes are thrown away before the connection is cut. More than a client's and the system's buffers hold: what
    /// was on its way when the client was refused must not cost it the answer.
    public var lingerBytes = 16 << 20
    /// How long a connection without a request stays open when the server stops, for one that is on its way.
    public var drainIdle: Duration = .milliseconds(250)
    /// How long requests may be worked on after the server was told to stop.
    public var drainTimeout: Duration = .seconds(4)

    /// The bytes of all header fields and the target of a request.
    public var headerBytes = 32 * 1024
    /// The header fields of a request.
    public var headerFields = 100
    /// The bytes of a request's target: its path and query.
    public var targetBytes = 8 * 1024
    /// The bytes of a JSON body.
    public var jsonBodyBytes = 256 * 1024

    /// Connections that are served at once; one beyond is answered with 503.
    public var connections = 1024
    /// Requests that are worked on at once; one beyond is answered with 503.
    public var requestsInFlight = 256
    /// Requests of one user that are worked on at once; one beyond is answered with 429.
    public var requestsPerCaller = 32

    /// The defaults.
    public init() {}
}

extension ServerLimits {
    /// How often deadlines are looked at.
    var tick: Duration {
        let shortest = [headerTimeout, bodyTimeout, rateWindow, idleTimeout, stallTimeout, lingerTimeout].min()
        return min(max((shortest ?? .seconds(4)) / 4, .milliseconds(10)), .seconds(1))
    }

    /// How long after a request the connection is cut when nothing of an answer was written: the cancelled request has
    /// a while to say so.
    var answerTimeout: Duration { requestTimeout + .seconds(5) }
}
