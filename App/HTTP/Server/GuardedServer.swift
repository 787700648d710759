public import HummingbirdCore
internal import LarderApp
public import NIOCore

/// Makes builders of servers whose connections the guard holds to the limits; see ``ServiceAPI/server(_:)``.
public struct GuardedServer: Sendable {
    /// The settings of the server.
    public let settings: ServerSettings
    private let onRefusal: @Sendable (Problem) -> Void

    /// - Parameter onRefusal: Receives each problem of a request that has not reached the router. Runs on an event loop: it
    ///   must not wait.
    public init(_ settings: ServerSettings, onRefusal: @escaping @Sendable (Problem) -> Void = { _ in }) {
        (self.settings, self.onRefusal) = (settings, onRefusal)
    }

    /// A builder of a server.
    ///
    /// - Parameters:
    ///   - handlers: Further channel handlers, made anew for each connection of HTTP/1.1 and each stream of HTTP/2, behind the
    ///     guard: for `HTTPRequestPart` and `HTTPResponsePart`.
    ///   - channel: Makes the channel; by default one of HTTP/1.1 without TLS. It must pass the configuration on, which has
    ///     the guard and the handlers.
    public func builder(
        handlers: @autoclosure @escaping @Sendable () -> [any RemovableChannelHandler] = [],
        _ channel:
            @escaping @Sendable (
                _ responder: @escaping HTTPChannelHandler.Responder, _ configuration: HTTP1Channel.Configuration
            ) throws -> any ServerChildChannel = { HTTP1Channel(responder: $0, configuration: $1) }
    ) -> HTTPServerBuilder {
        let (limits, onRefusal) = (settings.limits, onRefusal)
        return HTTPServerBuilder { responder in
            let configuration = HTTP1Channel.Configuration(
                additionalChannelHandlers: [GuardInstaller(limits, onRefusal: onRefusal)] + handlers(),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerFields))
            let onDemand: HTTPChannelHandler.Responder = { request, writer, channel in
                try await responder(request.askedForOnDemand(over: channel), writer, channel)
            }
            return Self.watched(try channel(onDemand, configuration), limits)
        }
    }

    /// HTTP/1.1 without TLS.
    ///
    /// - Throws: `CommandFailure` if the service is to terminate TLS.
    func standardBuilder() throws(CommandFailure) -> HTTPServerBuilder {
        guard settings.tls != .service else {
            throw CommandFailure(
                .configuration, "this service does not terminate TLS, but http-tls is 'service'",
                advice: "Let a proxy terminate TLS, and set http-tls to upstream.")
        }
        return builder()
    }

    private static func watched(_ base: some ServerChildChannel, _ limits: ServerLimits) -> any ServerChildChannel {
        ServiceChannel(base: base, limits: limits, count: ConnectionCount(limit: limits.connections))
    }
}
