private import Synchronization

/// One temporary file for all spools of a process, in blocks of 64 KiB that are reused. It exists while a block is in
/// use.
///
/// All spools share one file, because a process can open a limited number of files, and each connection is one. Its
/// bytes are bounded, with a share for each ``Purpose``: responses that nobody reads leave space for bodies. Of each
/// share, one known caller gets at most a quarter, and all anonymous callers together half.
public final class SpoolFile: Sendable {
    /// The content of a spool.
    public enum Purpose: CaseIterable, Sendable {
        /// Bodies of requests: a quarter of the file.
        case bodies
        /// Reports of work that a response returns at its end: a quarter.
        case results
        /// Responses that clients have not read: half.
        case responses
    }

    /// The file of the task: that of the service in a request, otherwise one of the process.
    @TaskLocal public static var current = SpoolFile()
    /// The size of a block: 64 KiB.
    static let blockBytes = 64 << 10

    private struct State {
        var file: TemporaryFile?
        var free: [Int] = []
        /// The number of blocks in the file.
        var count = 0

        mutating func free(_ blocks: [Int]) {
            free += blocks
            // Closes the file, which has no name, so that its disk space is freed.
            if count == free.count { self = State() }
        }
    }

    private let state = Mutex(State())
    private let bodies: WorkGate
    private let results: WorkGate
    private let responses: WorkGate

    /// Makes a file that is created when it is needed.
    ///
    /// - Parameter limit: The maximum size in bytes; 1 GiB by default.
    public init(limit: Int = 1 << 30) {
        func gate(_ bytes: Int) -> WorkGate {
            WorkGate(bytes, perCaller: bytes / 4, anonymous: bytes / 2)
        }
        (bodies, results, responses) = (gate(limit / 4), gate(limit / 4), gate(limit / 2))
    }

    /// The size of the blocks in use for a purpose, in bytes.
    public func usedBytes(for purpose: Purpose) -> Int { gate(purpose).used }

    func gate(_ purpose: Purpose) -> WorkGate {
        switch purpose {
        case .bodies: bodies
        case .results: results
        case .responses: responses
        }
    }

    /// A free block, and the file.
    func takeBlock() throws(SpoolError) -> (file: TemporaryFile, block: Int) {
        try state.withLock { state throws(SpoolError) in
            let file = if let file = state.file { file } else { try TemporaryFile() }
            state.file = file
            if let block = state.free.popLast() { return (file, block) }
            state.count += 1
            return (file, state.count - 1)
        }
    }

    func free(_ blocks: [Int]) {
        state.withLock { $0.free(blocks) }
    }
}
