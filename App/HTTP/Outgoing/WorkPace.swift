/// Lets other requests run between the parts of a long work.
public struct WorkPace: Sendable {
    private static let turn = 16 << 10
    private var done = 0

    /// Starts a work.
    public init() {}

    /// Suspends after parts of 16 KiB in total. A part counts at least 256 bytes, so that many small ones suspend, too.
    ///
    /// - Parameter bytes: The size of a finished part.
    public mutating func finished(_ bytes: Int) async {
        done += max(bytes, 256)
        guard done >= Self.turn else { return }
        done = 0
        await Task.yield()
    }
}
