import LarderData
import LarderDomain
import Synchronization

/// Forwards a stream, and continues only the reader that waited last.
final class LastReader: Sendable {
    private struct State {
        var events: [ChangeEvent] = []
        var isEnded = false
        var reader: CheckedContinuation<Void, Never>?
        /// Readers that were replaced. A continuation must not be released.
        var replaced: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    static func stream(of events: AsyncStream<ChangeEvent>) -> AsyncStream<ChangeEvent> {
        let last = LastReader()
        Task {
            for await event in events { last.change { $0.events.append(event) } }
            last.change { $0.isEnded = true }
        }
        return AsyncStream {
            await last.next()
        } onCancel: {
            last.change { $0.isEnded = true }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let reader = state.withLock { state in
            body(&state)
            return state.reader.take()
        }
        reader?.resume()
    }

    private func next() async -> ChangeEvent? {
        while true {
            let (event, isEnded) = state.withLock { state -> (ChangeEvent?, Bool) in
                (state.events.isEmpty ? nil : state.events.removeFirst(), state.isEnded)
            }
            if event != nil || isEnded { return event }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.events.isEmpty, !state.isEnded else { return false }
                    if let reader = state.reader { state.replaced.append(reader) }
                    state.reader = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }
}
