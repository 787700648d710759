internal import LarderDomain

extension WriteFaults {
    /// The result of ``report(_:of:)``.
    public struct Report: Sendable {
        /// The number of writes that the use case requests.
        public internal(set) var writes = 0
        /// The faults of the use case; empty if each failure leaves everything unchanged.
        public internal(set) var findings: [String] = []
    }

    /// Runs a use case with a commit that fails, then with each of its writes failing, and finally without a failure.
    /// The report ends at the first failure that leaves a change.
    ///
    /// - Parameters:
    ///   - state: All data that the use case may change.
    ///   - useCase: Runs the use case, over a manager and a store of this plan.
    /// - Throws: The error of reading the state, and of the use case when no write fails.
    public func report<State: Equatable>(
        _ state: () async throws -> State, of useCase: () async throws -> Void
    ) async throws -> Report {
        defer { plan() }
        let before = try await state()
        var report = Report()

        plan(failsCommits: true)
        let error = await Self.error(of: useCase)
        report.note("the commit", error, hasChanged: try await state() != before)

        while report.findings.isEmpty {
            plan(failingWrite: report.writes + 1)
            let error = await Self.error(of: useCase)
            guard writes > report.writes else {
                // All writes have failed once, so no write failed this time.
                if let error { throw error }
                if try await state() == before { report.findings.append("the use case changes nothing") }
                return report
            }
            if writes > report.writes + 1 {
                report.findings.append("write \(report.writes + 1) failed, and the use case continued")
            }
            report.writes += 1
            report.note("write \(report.writes)", error, hasChanged: try await state() != before)
        }
        return report
    }

    private static func error(of useCase: () async throws -> Void) async -> (any Error)? {
        do {
            try await useCase()
            return nil
        } catch {
            return error
        }
    }
}

extension WriteFaults.Report {
    fileprivate mutating func note(_ failure: String, _ error: (any Error)?, hasChanged: Bool) {
        if let error {
            guard case .unavailable(let trouble)? = error as? PersistencyError, trouble.reason == .full else {
                return findings.append("\(failure) failed, and the use case threw \(error)")
            }
        } else {
            findings.append("\(failure) failed, and the use case reported success")
        }
        if hasChanged { findings.append("\(failure) failed, and the state has changed") }
    }
}
