internal import Synchronization

/// What an import has stored so far, for whoever ends it before it is done.
final class ImportProgress: Sendable {
    private struct State {
        var report = ImportReport()
        var isStoring = false
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Asks to store a batch, or to tell the outcome. Does not return once the import is stopped: whoever stopped it reports
    /// and ends the process.
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

    /// Takes the report of everything up to the batch that ``begin()`` was asked for.
    func end(_ report: ImportReport) {
        state.withLock { state in
            (state.report, state.isStoring) = (report, false)
        }
    }

    /// Lets no further batch begin, and waits for the one that is being stored.
    ///
    /// - Returns: The report of everything that is stored.
    func stop() async -> ImportReport {
        state.withLock { $0.isStopped = true }
        while state.withLock(\.isStoring) { try? await Task.sleep(for: .milliseconds(5)) }
        return state.withLock(\.report)
    }
}
