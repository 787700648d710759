#if Service
public import HTTPTypes
public import Hummingbird
public import NIOCore
internal import Synchronization

/// Collects the body of a response in place of a connection; of a stream of events, only the requested number.
public final class BodyCollector: ResponseBodyWriter, Sendable {
    /// The client has received the requested events, and disconnects.
    public struct Enough: Error {}

    private let collected = Mutex<[UInt8]>([])
    private let events: Int?

    /// - Parameter events: The number of events after which ``Enough`` is thrown; `nil` for the whole body.
    public init(events: Int? = nil) {
        self.events = events
    }

    /// The bytes so far.
    public var bytes: [UInt8] { collected.withLock(\.self) }

    public func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { $0 += buffer.readableBytesView }
        guard let events else { return }
        let isEnough = collected.withLock { bytes in
            let ends = bytes.indices.dropFirst().filter { bytes[$0 - 1] == 0x0A && bytes[$0] == 0x0A }
            guard events > 0, ends.count >= events else { return ends.count >= events }
            // One write may contain several events.
            bytes.removeSubrange((ends[events - 1] + 1)...)
            return true
        }
        if isEnough { throw Enough() }
    }

    public func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
#endif
