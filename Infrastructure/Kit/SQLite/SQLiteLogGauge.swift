struct SQLiteLogGauge {
    /// How many pages may come before the next checkpoint.
    private static let interval = 1000

    private var pages = 0
    private var threshold = interval
    /// Pages appended since the store was opened.
    private(set) var pagesWritten = 0

    var isCheckpointDue: Bool { pages >= threshold }

    /// Whether checkpoints have not emptied the log for so long that readers must make room: 32 MB of pages of 4 KiB.
    var isOverdue: Bool { pages >= 8 * Self.interval }

    /// Whether commits must wait for the scans that keep the log from a restart: 48 MB of pages of 4 KiB.
    var isTooLong: Bool { pages >= 12 * Self.interval }

    /// Takes the log's length after a commit.
    mutating func note(pages new: Int) {
        // Shorter means that it began anew, once all of it had been checkpointed and nobody read it.
        if new < pages { threshold = Self.interval }
        pagesWritten += new < pages ? new : new - pages
        pages = new
    }

    /// A reader may keep the log from beginning anew; then it is tried again when as much has come.
    mutating func noteCheckpoint() {
        threshold = pages + Self.interval
    }
}
