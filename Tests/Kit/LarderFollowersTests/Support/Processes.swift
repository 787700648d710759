import LarderData
import LarderDomain
import LarderFollowers
import Synchronization

/// A clock that a test sets, by minutes.
final class SetClock: Sendable {
    private let time = Mutex(Timestamp(microseconds: 60_000_000_000))
    /// Whether sleeps do not end, as in a process that is stopped.
    let isStopped = Mutex(false)
    private let sleeps = Mutex(0)

    var clock: FollowerClock {
        FollowerClock(now: { self.now }) { _ in
            self.sleeps.withLock { $0 += 1 }
            repeat { try await Task.sleep(for: .milliseconds(2)) } while self.isStopped.withLock { $0 }
        }
    }

    var now: Timestamp { time.withLock { $0 } }

    func advance(seconds: Int64) {
        time.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
    }

    /// Waits until a run, which sleeps on this clock, has looked at the time again.
    func awaitLooks() async throws {
        let count = sleeps.withLock { $0 }
        // The first of these sleeps may begin with the earlier time.
        try await eventually { self.sleeps.withLock { $0 } >= count + 3 }
    }
}

extension FollowedStore {
    /// The same store, which other processes may write.
    var shared: FollowedStore {
        FollowedStore(name: "\(name), shared") { SharedStore(try await open($0, $1, $2)) }
    }
}

/// A decorator without the promise that only this process writes.
private final class SharedStore: StoreDecorator {
    let base: any Store

    init(_ base: any Store) {
        self.base = base
    }

    var traits: StoreTraits {
        StoreTraits(kind: base.traits.kind, capabilities: base.traits.capabilities.subtracting([.soleWriter]))
    }
}
