internal import LarderData

/// A run of random operations against a store and against a model of it, a plain dictionary that shares no code with
/// the kit. Every answer is compared.
///
/// ```swift
/// @Test func `my store answers as the model does`() async throws {
///     print(try await ModelRun(.myStore).run())
/// }
/// ```
///
/// A run consists of tapes, each on a fresh store: bytes that encode operations. A tape that reveals a difference is
/// shrunk to the relevant operations and thrown as a ``ModelDisagreement`` with the text that ``replay(_:)`` accepts.
public struct ModelRun: Sendable {
    private let fixture: StoreFixture
    private let operations: Int
    private let seed: UInt64
    private static let framesOfTape = 250

    /// Plans a run.
    ///
    /// - Parameters:
    ///   - fixture: Opens the stores.
    ///   - operations: The minimum number of operations over all tapes; by default, ``RunSize/current`` decides: 400,
    ///     15,000, or 1,000,000.
    ///   - seed: The seed of the tapes.
    public init(
        _ fixture: StoreFixture,
        operations: Int = RunSize.current.of(quick: 400, ci: 15_000, prove: 1_000_000), seed: UInt64 = RunSize.seed
    ) {
        self.fixture = fixture
        self.operations = operations
        self.seed = seed
    }

    /// Runs all tapes.
    ///
    /// - Throws: ``ModelDisagreement`` at the first answer that differs from the model's.
    public func run() async throws -> RunReport {
        let start = ContinuousClock.now
        var chance = Chance(seed: seed)
        var done = 0
        while done < operations {
            let tape = Tape(frames: Self.framesOfTape, using: &chance)
            let played = await play(tape)
            done += played.operations
            if played.disagreement != nil { throw await shrunk(tape) }
        }
        return RunReport(
            "model-based run, \(fixture)", figure: "\(done) operations", seed: seed,
            duration: ContinuousClock.now - start)
    }

    /// Plays a tape from ``ModelDisagreement/tape``. Returns `nil` if the store now answers as the model does.
    ///
    /// - Throws: ``TapeUnreadable`` for text that is not a tape.
    public func replay(_ text: String) async throws -> ModelDisagreement? {
        guard let tape = Tape(text) else { throw TapeUnreadable() }
        return await disagreement(over: tape)
    }

    private func shrunk(_ tape: Tape) async -> ModelDisagreement {
        let shrunk = await TapeShrinker().shrink(tape) { await play($0).disagreement != nil }
        if let found = await disagreement(over: shrunk) { return found }
        // An intermittent difference cannot be shrunk.
        return await disagreement(over: tape)
            ?? ModelDisagreement(
                store: fixture.name, tape: "\(tape)", seed: seed, steps: [],
                reason: "the store disagreed once, and did not when the tape was played again")
    }

    private func disagreement(over tape: Tape) async -> ModelDisagreement? {
        let played = await play(tape, isLogging: true)
        return played.disagreement.map {
            ModelDisagreement(store: fixture.name, tape: "\(tape)", seed: seed, steps: played.log, reason: $0)
        }
    }

    /// Plays a tape on a fresh store.
    private func play(
        _ tape: Tape, isLogging: Bool = false
    ) async -> (operations: Int, log: [String], disagreement: String?) {
        let scratch = "model-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let fixture = fixture
        var (operations, log, disagreement): (Int, [String], String?) = (0, [], nil)
        do {
            var session = try await ModelSession(isLogging: isLogging) {
                try await fixture.open(Library.schemas(), scratch)
            }
            do {
                var index = 0
                while index < tape.frameCount { index = try await session.play(tape, at: index) }
                try await session.compareEverything()
            } catch let found as ModelSession.Disagreement {
                disagreement = found.reason
            } catch {
                disagreement = "the store could not be opened again: \(error)"
            }
            await session.close()
            (operations, log) = (session.operations, session.log)
        } catch {
            disagreement = "the store could not be opened: \(error)"
        }
        await fixture.discard(scratch)
        return (operations, log, disagreement)
    }
}

/// Text that is not a tape of a ``ModelRun``.
public struct TapeUnreadable: Error {}
