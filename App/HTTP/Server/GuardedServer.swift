public import HummingbirdCore
internal import LarderApp
public import NIOCore

/// Makes server builders with a guard on each connection, which enforces the limits; see ``ServiceAPI/server(_:)``.
public struct GuardedServer: Sendable {
    /// The settings of the server.
    public let settings: ServerSettings
    private let onRefusal: @Sendable (Problem) -> Void

    /// - Parameters:
    ///   - settings: The address and the limits.
    ///   - onRefusal: Receives each problem of a request that has not reached the router. Runs on an event loop, so it
    ///     must not block.
    public init(_ settings: ServerSettings, onRefusal: @escaping @Sendable (Problem) -> Void = { _ in }) {
        (self.settings, self.onRefusal) = (settings, onRefusal)
    }

    /// Makes a builder of a server.
    ///
    /// - Parameters:
    ///   - handlers: Further channel handlers after the guard, for `HTTPRequestPart` and `HTTPResponsePart`. They are
    ///     created for each HTTP/1.1 connection and each HTTP/2 stream.
    ///   - channel: Makes the channel; by default an HTTP/1.1 channel without TLS. It must pass on the configuration,
    ///     which has the guard and the handlers.
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

    /// A builder for HTTP/1.1 without TLS.
    ///
    /// - Throws: `CommandFailure` if the setting requires the service to terminate TLS.
    func standardBuilder() throws(CommandFailure) -> HTTPServerBuilder {
        guard settings.tls != .service else {
            throw CommandFailure(
                .configuration, "this service does not terminate TLS, but http-tls is 'service'",
                advice: "Terminate TLS in a proxy and set http-tls to upstream.")
        }
        return builder()
    }

    private static func watched(_ base: some ServerChildChannel, _ limits: ServerLimits) -> any ServerChildChannel {
        ServiceChannel(base: base, limits: limits, gate: WorkGate(limits.connections))
    }
}
