internal import LarderData
internal import LarderDomain

/// Sends random searches to stores, outside and inside of transactions that have written, and compares the answers with
/// those of plain Swift, in order, page by page, with totals.
public struct SearchRun: Sendable {
    /// The number of searches for each store.
    public let searches: Int
    /// The seed that repeats the run.
    public let seed: UInt64

    /// Describes a run without starting it.
    public init(searches: Int, seed: UInt64 = RunSize.seed) {
        (self.searches, self.seed) = (searches, seed)
    }

    /// Throws with the first wrong answer, or if a store cannot be opened.
    ///
    /// - Returns: The number of searches that found something.
    public func judge(_ fixture: StoreFixture) async throws -> Int {
        let scratch = "search-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let trial = try await Trial.begin(fixture, scratch: scratch)
        let answered: Int
        do {
            answered = try await trial.search(searches, seed: seed)
        } catch {
            await trial.store.close()
            await fixture.discard(scratch)
            throw error
        }
        await trial.store.close()
        await fixture.discard(scratch)
        return answered
    }
}

extension Trial {
    /// Fails the law unless the given number of random searches are answered as by plain Swift.
    ///
    /// - Returns: The number of searches that found something.
    @discardableResult
    func search(_ count: Int, seed: UInt64) async throws -> Int {
        var tape = SearchTape(seed: seed, self)
        try await tape.change(50, through: manager)
        var asked = 0
        while asked < count {
            for _ in 0..<10 { try await tape.ask(manager, includesTotal: asked % 20 == 0) }
            tape = try await manager.transaction { [tape] manager in
                var tape = tape
                try await tape.change(4, through: manager)
                for _ in 0..<10 { try await tape.ask(manager, includesTotal: true) }
                return tape
            }
            asked += 20
        }
        return tape.answered
    }
}
