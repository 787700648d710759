internal import LarderDomain
internal import NIOCore
private import Synchronization

/// The encoded events of the last commits: most clients see the same part of a commit, which is encoded once for them.
final class ChangeTexts: Sendable {
    private struct Slot {
        let seen: CommittedChanges
        let text: ByteBuffer
    }

    private struct State {
        var slots: [Slot?] = Array(repeating: nil, count: 1024)
        var encodedCount = 0
    }

    /// The maximum number of changes of a kept event; larger ones would use megabytes.
    private static let keptChanges = 16
    private let names: [String: String]
    private let state = Mutex(State())

    init(names: [String: String]) { self.names = names }

    /// The number of events of commits that were encoded.
    var encodedCount: Int { state.withLock { $0.encodedCount } }

    /// Appends an encoded event.
    func write(_ event: FeedEvent, to text: inout ByteBuffer) {
        guard case .commit(let seen, let token) = event else {
            text.writeString(ServerSentEvent(event, names: names).encoded)
            return
        }
        let known = state.withLock { state -> ByteBuffer? in
            guard let slot = state.slots[Self.index(of: token, in: state)], slot.seen == seen else { return nil }
            return slot.text
        }
        if let known {
            text.writeImmutableBuffer(known)
            return
        }
        let encoded = ByteBuffer(string: ServerSentEvent(event, names: names).encoded)
        state.withLock { state in
            state.encodedCount += 1
            guard seen.size <= Self.keptChanges else { return }
            state.slots[Self.index(of: token, in: state)] = Slot(seen: seen, text: encoded)
        }
        text.writeImmutableBuffer(encoded)
    }

    private static func index(of token: ChangeToken, in state: State) -> Int {
        Int(token.position.magnitude % UInt64(state.slots.count))
    }
}
