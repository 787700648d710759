struct SQLiteLogGauge {
    /// The number of appended pages after which a checkpoint is due.
    private static let interval = 1000

    private(set) var pages = 0
    private var threshold = interval
    /// Pages appended since the store was opened.
    private(set) var pagesWritten = 0

    var isCheckpointDue: Bool { pages >= threshold }

    /// Whether the log has not restarted for so long that new long scans must wait: 32 MB of pages of 4 KiB.
    var isOverdue: Bool { pages >= 8 * Self.interval }

    /// The number of pages from which on commits must wait for the reads that prevent a restart of the log: 48 MB of
    /// pages of 4 KiB.
    static let limit = 12 * interval

    /// Records the log's length after a commit.
    mutating func note(pages new: Int) {
        // A shorter log has restarted, which requires a complete checkpoint and no readers.
        if new < pages { threshold = Self.interval }
        pagesWritten += new < pages ? new : new - pages
        pages = new
    }

    /// Schedules the next checkpoint after another interval, because a reader may have prevented a restart of the log.
    mutating func noteCheckpoint() {
        threshold = pages + Self.interval
    }
}
