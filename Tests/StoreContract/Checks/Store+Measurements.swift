internal import LarderData

extension Store {
    /// The store's counters; `nil` for a store that does not count.
    func measured() async -> StoreMeasurements? {
        await feature((any MeasuredStore).self)?.measurements()
    }
}
