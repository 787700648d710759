private import Synchronization

/// A number that threads change concurrently, without a lock.
final class AtomicNumber: Sendable {
    private let bits: Atomic<UInt64>

    init(_ value: Double = 0) {
        bits = Atomic(value.bitPattern)
    }

    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isDone { return }
            old = found
        }
    }
}
