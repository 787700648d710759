internal import Synchronization

/// The progress of an import, for a report when a signal ends it early.
final class ImportProgress: Sendable {
    private struct State {
        var report = ImportReport()
        var isStoring = false
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Starts storing a batch, or reporting the outcome. Does not return after ``stop()``, whose caller reports and
    /// exits the process.
    func begin() async throws {
        while !mayBegin() { try await Task.sleep(for: .seconds(60)) }
    }

    private func mayBegin() -> Bool {
        state.withLock { state in
            if state.isStopped { return false }
            state.isStoring = true
            return true
        }
    }

    /// Sets the report of everything up to the batch that ``begin()`` started.
    func end(_ report: ImportReport) {
        state.withLock { state in
            (state.report, state.isStoring) = (report, false)
        }
    }

    /// Prevents further batches, and waits for the current one.
    ///
    /// - Returns: The report of everything stored.
    func stop() async -> ImportReport {
        state.withLock { $0.isStopped = true }
        while state.withLock(\.isStoring) { try? await Task.sleep(for: .milliseconds(5)) }
        return state.withLock(\.report)
    }
}
