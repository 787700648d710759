/// Keeps the write-ahead log short. Without waiting for anybody, as a rule; where scans that overlap have kept SQLite from
/// beginning the log anew for too long, further long scans wait until the running ones have ended and the log is empty.
struct SQLiteCheckpoints: Sendable {
    /// How long the log may wait for short reads, which hold it for microseconds.
    private static let patience: Int32 = 100

    let writer: SQLiteWriter
    /// The store's thread, on which it runs.
    let thread: StoreThread
    let scans: ScanThreads

    /// Moves the log to the database if that is due.
    func runIfDue() {
        guard writer.checkpoint() else { return }
        scans.holdBack {
            thread.enqueue {
                writer.restartLog(busyMilliseconds: Self.patience)
                scans.resume()
            }
        }
    }
}
