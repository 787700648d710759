/// A feature for tests and measurements: a store that counts its work.
public protocol MeasuredStore: Store {
    /// The work since the store was opened.
    func measurements() async -> StoreMeasurements
}
