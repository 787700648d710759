internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends events to one HTTP receiver, signed by the scheme of Standard Webhooks 1.0.0.
///
/// It is the handler of an outbox:
///
/// ```swift
/// let webhook = try Webhook("https://example.org/loans", secrets: [WebhookSecret(text)])
/// let outbox = Follower.outbox("loans", [
///     Delivery(of: LoanStarted.self) { event in
///         try await webhook.send(event.json, id: event.id.description)
///     }
/// ])
/// ```
///
/// A delivery is one attempt; the policy of the follower repeats it. A receiver gets each event at least once, and the
/// events of one entity in the order of their commits, unless one is set aside. A repetition has the same id, and a new
/// timestamp and signature; receivers ignore an id that they have processed.
///
/// Each delivery has a new connection to a checked address: it costs a name resolution, a connection, a TLS handshake,
/// and the load of the system's trusted certificates, which takes tens of milliseconds.
public struct Webhook: Sendable {
    /// The receiver's name or address, as in the URL. Errors name it.
    public let host: String
    private let url: String
    private let secrets: [WebhookSecret]
    private let timeLimit: Duration
    private let userAgent: String
    /// Whether a connection to an address is permitted.
    var permits: @Sendable (HostAddress) -> Bool
    /// Finds the addresses of a host.
    var lookUp = HostAddress.lookUp
    /// The last change of the client's configuration.
    var configure: @Sendable (inout HTTPClient.Configuration) -> Void = { _ in }

    /// - Parameters:
    ///   - url: The receiver's URL, with `https`. `http` requires `permitsPrivateAddresses`, because the body is
    ///     readable on the way. It has no user, no password and no fragment.
    ///   - secrets: All current secrets. Each one signs, so that the receiver can replace its secret at any time
    ///     between the addition of the new secret and the removal of the old one.
    ///   - permitsPrivateAddresses: Whether the host may have an address that is not public. For development and for
    ///     receivers in the same network, if no user of the service can choose the URL.
    ///   - timeLimit: The time of a delivery, from the resolution of the name to the status of the response.
    ///   - userAgent: The value of `User-Agent`.
    /// - Throws: ``WebhookError/invalidURL`` or, without a secret, ``WebhookError/invalidSecret``.
    public init(
        _ url: String, secrets: [WebhookSecret], permitsPrivateAddresses: Bool = false,
        timeLimit: Duration = .seconds(10), userAgent: String = "webhook"
    ) throws(WebhookError) {
        guard let parts = URL(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http" && permitsPrivateAddresses,
            (1...65_535).contains(parts.port ?? 443),
            parts.user == nil, parts.password == nil, parts.fragment == nil,
            // The client looks for this text in `dnsOverride`, so it has only characters that no parser changes.
            let host = parts.host?.wholeMatch(of: /\[?([0-9A-Za-z._:-]*[0-9A-Za-z:])\]?/)?.1
        else { throw .invalidURL }
        guard !secrets.isEmpty else { throw .invalidSecret }
        (self.url, self.host, self.secrets) = (url, String(host), secrets)
        (self.timeLimit, self.userAgent) = (timeLimit, userAgent)
        permits = { permitsPrivateAddresses || $0.isPublic }
    }

    /// Sends one event in a `POST`, and returns after a response with a status from 200 to 299.
    ///
    /// It follows no redirect, does not read the body of the response, and uses no proxy. If the receiver has several
    /// addresses, the second and third are for connections that fail.
    ///
    /// - Parameters:
    ///   - body: The event in JSON.
    ///   - id: The event's id: printable ASCII characters without `.`. It is the same in each delivery of the event.
    /// - Throws: ``WebhookError``, or `CancellationError` if the task was cancelled.
    public func send(_ body: [UInt8], id: String) async throws {
        guard WebhookSignature.isValid(id: id) else { throw WebhookError.invalidID }
        let deadline = NIODeadline.now() + TimeAmount(timeLimit)
        let time = String(Int(Date().timeIntervalSince1970))
        let signatures = secrets.map { $0.signature(of: body, id: id, timestamp: time) }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = [
            "content-type": "application/json", "user-agent": userAgent, WebhookSignature.id: id,
            WebhookSignature.timestamp: time, WebhookSignature.signature: signatures.joined(separator: " "),
        ]
        request.body = .bytes(body)
        do {
            let status = Int(try await post(request, to: try await addresses(by: deadline), by: deadline).code)
            guard (200..<300).contains(status) else { throw WebhookError.refused(host: host, status: status) }
        } catch  where !(error is WebhookError) {
            try Task.checkCancellation()
            throw deadline <= .now() ? .timedOut(host: host) : WebhookError.failed(host: host, reason: "\(error)")
        }
    }

    /// The checked addresses of the receiver, of which there is at least one.
    private func addresses(by deadline: NIODeadline) async throws -> ArraySlice<HostAddress> {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        // Nothing can stop a name resolution, so this promise can end before it.
        let promise = loop.makePromise(of: [HostAddress].self)
        lookUp(host, loop).cascade(to: promise)
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(HTTPClientError.deadlineExceeded) }
        defer { timer.cancel() }
        let addresses = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
        guard !addresses.isEmpty else { throw WebhookError.failed(host: host, reason: "the name has no address") }
        // One private address among public ones is a sign of an attack.
        guard addresses.allSatisfy(permits) else { throw WebhookError.privateAddress(host: host) }
        return addresses.prefix(3)
    }

    private func post(
        _ request: HTTPClientRequest, to addresses: ArraySlice<HostAddress>, by deadline: NIODeadline
    ) async throws -> HTTPResponseStatus {
        let share = max(1, (deadline - .now()).nanoseconds / Int64(addresses.count))
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .nanoseconds(share)), decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        // A trace would have the path and query of the URL, which may be secret, and the receiver the trace's id.
        configuration.tracing.tracer = nil
        var failure: any Error = HTTPClientError.connectTimeout
        for address in addresses {
            // The connection is to this address, and TLS verifies the host. Without it, the client resolves the name.
            let text = try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: 0).ipAddress
            configuration.dnsOverride = [host: text ?? ""]
            configure(&configuration)
            let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
            // Nothing waits for the end of the connection: a receiver could delay it.
            defer { client.shutdown { _ in } }
            do {
                return try await client.execute(request, deadline: deadline).status
            } catch  where error is IOError || error as? HTTPClientError == .connectTimeout {
                failure = error
            }
        }
        throw failure
    }
}

extension Webhook: CustomReflectable {
    /// The host, without the rest of the URL, which may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["host": host]) }
}
