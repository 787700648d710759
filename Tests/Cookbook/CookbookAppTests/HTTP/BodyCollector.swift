import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Takes the body of an answer, in place of a connection; of a stream of events no more than it was made for.
final class BodyCollector: ResponseBodyWriter, Sendable {
    /// The client has what it wanted, and goes.
    struct Enough: Error {}

    private let collected = Mutex<[UInt8]>([])
    private let events: Int?

    init(events: Int? = nil) {
        self.events = events
    }

    var bytes: [UInt8] { collected.withLock(\.self) }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { $0 += buffer.readableBytesView }
        guard let events else { return }
        let ends = String(decoding: bytes, as: UTF8.self).components(endingWith: "\n\n")
        if ends >= events { throw Enough() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension String {
    fileprivate func components(endingWith end: String) -> Int { ranges(of: end).count }
}
