import LarderDomain
import Synchronization

/// Makes ids, and counts them.
final class CountingIDs: IDGenerator {
    private let last = Atomic<UInt64>(0)

    var count: Int { Int(last.load(ordering: .relaxed)) }

    func next() -> RawID { RawID(high: 1, low: last.add(1, ordering: .relaxed).newValue) }
}
