internal import LarderData
internal import LarderDomain

/// A store and its model, which execute the same operations.
struct ModelSession {
    /// The first difference between store and model.
    struct Disagreement: Error {
        let reason: String
    }

    private let open: () async throws -> any Store
    private var store: any Store
    private var manager: any PersistencyManager
    private var stored: [ItemKey: KeptItem] = [:]
    /// The number of operations.
    private(set) var operations = 0
    /// The operations, in readable form.
    private(set) var log: [String] = []
    private let isLogging: Bool

    init(isLogging: Bool, open: @escaping () async throws -> any Store) async throws {
        self.open = open
        self.isLogging = isLogging
        store = try await open()
        manager = try Self.manager(over: store)
    }

    /// There are no other writers, so a delay before another attempt is useless.
    private static func manager(over store: any Store) throws -> any PersistencyManager {
        StoreManager(store, mappers: try MapperSet(Library.mappers), retry: RetryPolicy(attempts: 2, sleep: { _ in }))
    }

    /// Executes the operations of a tape from the given frame. Returns the index of the next frame.
    mutating func play(_ tape: Tape, at index: Int) async throws -> Int {
        let frame = Frame(tape[frame: index])
        switch frame[0] {
        case 255: try await reopen()
        case 254: try await compareEverything()
        case 224...253:
            let steps = (1...(Int(frame[3] % 6) + 1)).map { index + $0 }.filter { $0 < tape.frameCount }
            try await transaction(steps.map { Frame(tape[frame: $0]) }, changesItsMind: frame[4] % 8 == 7)
            return index + 1 + steps.count
        case 216...223:
            guard index + 1 < tape.frameCount else { break }
            try await cancelled(Frame(tape[frame: index + 1]), afterYields: Int(frame[3] % 8))
            return index + 2
        default: try await alone(frame)
        }
        return index + 1
    }

    /// Queries all data.
    mutating func compareEverything() async throws {
        let unit = ModelUnit(stored)
        for question in Question.everything {
            let operation = Operation.ask(question, pageSize: nil)
            try check(await operation.perform(by: manager), [question.answer(from: unit.all)], operation)
        }
    }

    func close() async { await store.close() }

    private mutating func reopen() async throws {
        guard store.traits.capabilities.contains(.durable) else { return }
        note("close and open again")
        await store.close()
        store = try await open()
        manager = try Self.manager(over: store)
        try await compareEverything()
    }

    private mutating func alone(_ frame: Frame) async throws {
        var unit = ModelUnit(stored)
        let operation = frame.operation(in: unit)
        let expected = answersAlone(operation, &unit)
        try check(await operation.perform(by: manager), expected, operation)
        if !unit.isRefused { stored = unit.after }
    }

    private func answersAlone(_ operation: Operation, _ unit: inout ModelUnit) -> [Answer] {
        if case .sweep = operation, !store.traits.capabilities.contains(.bulkUpdates) { return unit.perform(operation) }
        return unit.answersAlone(operation)
    }

    /// Cancels the task of an operation. If it is cancelled before it starts, it writes nothing. If later, it answers
    /// as usual, or it has no effect.
    private mutating func cancelled(_ frame: Frame, afterYields yields: Int) async throws {
        var unit = ModelUnit(stored)
        let operation = frame.operation(in: unit)
        let answers = answersAlone(operation, &unit)
        let wouldWrite = !unit.isRefused && unit.hasChanges
        note("cancelled after \(yields) yields:")
        let manager = manager
        let task = Task {
            if yields == 0 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            return await operation.perform(by: manager)
        }
        for _ in 0..<yields { await Task.yield() }
        task.cancel()
        let answer = await task.value
        try check(answer, (yields == 0 && wouldWrite ? [] : answers) + [.failed(.cancelled)], operation)
        if answer != .failed(.cancelled), wouldWrite { stored = unit.after }
    }

    private mutating func transaction(_ frames: [Frame], changesItsMind: Bool) async throws {
        let plan = ModelTransaction(frames, on: stored, changesItsMind: changesItsMind)
        note("transaction of \(plan.steps.count)")
        let (answers, end) = await plan.perform(by: manager)
        for (step, answer) in zip(plan.steps, answers) { try check(answer, step.answers, step.operation) }
        guard answers.count == plan.steps.count else {
            throw Disagreement(reason: "the body came to its step \(answers.count) of \(plan.steps.count), then \(end)")
        }
        note("end of the transaction: \(end)")
        guard plan.ends.contains(end) else {
            throw Disagreement(reason: "the transaction ended with \(end), not \(Self.listed(plan.ends))")
        }
        if end == .done { stored = plan.after }
    }

    private mutating func check(_ answer: Answer, _ expected: [Answer], _ operation: Operation) throws(Disagreement) {
        operations += 1
        note("\(operation): \(answer)")
        guard expected.contains(answer) else {
            throw Disagreement(
                reason: "\(operation) was answered\n  \(answer)\nand should be\n  \(Self.listed(expected))")
        }
    }

    private mutating func note(_ what: @autoclosure () -> String) {
        if isLogging { log.append(what()) }
    }

    private static func listed(_ answers: [Answer]) -> String { answers.map { "\($0)" }.joined(separator: "\nor\n  ") }
}
