internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Read-only connections, lent to whoever reads; they never checkpoint.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// Reads so far.
        var reads = 0
        /// Statements run by connections that came back.
        var statements = 0
    }

    /// Connections that are kept when nobody needs them.
    private static let idleLimit = 8
    /// After so many reads on the caller's own thread others get a turn; without it a few tireless readers keep the
    /// cooperative pool to themselves.
    private static let readsPerTurn = 64

    private let open: @Sendable () throws(PersistencyError) -> SQLiteConnection
    private let state: Mutex<State>

    /// - Parameter first: A connection that was opened already.
    init(_ first: SQLiteConnection, open: @escaping @Sendable () throws(PersistencyError) -> SQLiteConnection) {
        self.open = open
        state = Mutex(State(idle: [first]))
    }

    /// Statements run so far.
    var statements: Int { state.withLock(\.statements) }

    /// Lends a connection.
    ///
    /// - Parameter busyMilliseconds: How long it may wait where another process recovers the log or has locked it all.
    /// - Returns: The body's result, and whether it is time to give others a turn.
    func read<Result>(
        busyMilliseconds: Int32 = 0, _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> (result: Result, shouldYield: Bool) {
        let connection = try take()
        let before = connection.statementsRun
        connection.setBusyTimeout(busyMilliseconds)
        do throws(PersistencyError) {
            let result = try body(connection)
            return (result, giveBack(connection, statements: connection.statementsRun - before))
        } catch {
            _ = giveBack(connection, statements: connection.statementsRun - before)
            throw error
        }
    }

    private func take() throws(PersistencyError) -> SQLiteConnection {
        let lent = try state.withLock { state throws(PersistencyError) in
            guard !state.isClosed else { throw .closed }
            return state.idle.popLast()
        }
        if let lent, !lent.isStale { return lent }
        return try open()
    }

    private func giveBack(_ connection: SQLiteConnection, statements: Int) -> Bool {
        state.withLock { state in
            state.statements += statements
            state.reads += 1
            if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
            return state.reads % Self.readsPerTurn == 0
        }
    }

    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        _ = consume idle
    }
}
