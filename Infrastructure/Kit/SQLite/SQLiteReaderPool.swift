internal import LarderDomain
internal import Synchronization

/// A pool of read-only connections, which never checkpoint.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// Statements run by returned connections.
        var statements = 0
    }

    /// The maximum number of idle connections.
    private static let idleLimit = 8
    private let opening: SQLiteOpening
    private let files: SQLiteFiles
    private let state: Mutex<State>

    init(_ first: SQLiteConnection, _ opening: SQLiteOpening, _ files: SQLiteFiles) {
        (self.opening, self.files) = (opening, files)
        state = Mutex(State(idle: [first]))
    }

    var statements: Int { state.withLock(\.statements) }

    /// - Parameters:
    ///   - busyMilliseconds: How long to wait while another process recovers the log or has an exclusive lock.
    ///   - isLong: Whether a process that opens the database for writing meanwhile may change it before the read ends.
    func read<Result>(
        busyMilliseconds: Int32 = 0, isLong: Bool = false, _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        let connection = try take(busyMilliseconds)
        let before = connection.statementsRun
        connection.setBusyTimeout(busyMilliseconds)
        defer { giveBack(connection, statements: connection.statementsRun - before) }
        let result = try body(connection)
        guard !isLong || !connection.isReplaced else {
            throw .unavailable(
                Unavailable(.busy, "another process has opened the database for writing meanwhile; repeat the read"))
        }
        return result
    }

    private func take(_ busyMilliseconds: Int32) throws(PersistencyError) -> SQLiteConnection {
        let lent = try state.withLock { state throws(PersistencyError) in
            guard !state.isClosed else { throw .closed }
            return state.idle.popLast()
        }
        if let lent, !lent.isReplaced { return lent }
        return try opening.reader(files, busyMilliseconds: busyMilliseconds)
    }

    private func giveBack(_ connection: SQLiteConnection, statements: Int) {
        state.withLock { state in
            state.statements += statements
            if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    func close() {
        // The connections are closed after the lock is released.
        var idle: [SQLiteConnection] = []
        state.withLock { state in
            state.isClosed = true
            swap(&state.idle, &idle)
        }
    }
}
