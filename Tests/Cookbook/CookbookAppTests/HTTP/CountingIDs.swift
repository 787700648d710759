import LarderDomain
import Synchronization

/// Ids that count up, and so are the same in each run.
final class CountingIDs: IDGenerator {
    private let count = Atomic<UInt64>(0)

    func next() -> RawID {
        let number = count.add(1, ordering: .relaxed).newValue
        return RawID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + number)
    }
}
