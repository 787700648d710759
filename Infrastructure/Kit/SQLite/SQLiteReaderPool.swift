internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Read-only connections, lent to whoever reads; they never checkpoint.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// Statements run by connections that came back.
        var statements = 0
    }

    /// Connections that are kept when nobody needs them.
    private static let idleLimit = 8
    private let opening: SQLiteOpening
    private let files: SQLiteFiles
    private let state: Mutex<State>

    init(_ first: SQLiteConnection, _ opening: SQLiteOpening, _ files: SQLiteFiles) {
        (self.opening, self.files) = (opening, files)
        state = Mutex(State(idle: [first]))
    }

    var statements: Int { state.withLock(\.statements) }

    /// - Parameter busyMilliseconds: How long it may wait where another process recovers the log or has locked it all.
    func read<Result>(
        busyMilliseconds: Int32 = 0, _ body: (SQLiteConnection) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        let connection = try take(busyMilliseconds)
        let before = connection.statementsRun
        connection.setBusyTimeout(busyMilliseconds)
        defer { giveBack(connection, statements: connection.statementsRun - before) }
        return try body(connection)
    }

    private func take(_ busyMilliseconds: Int32) throws(PersistencyError) -> SQLiteConnection {
        let lent = try state.withLock { state throws(PersistencyError) in
            guard !state.isClosed else { throw .closed }
            return state.idle.popLast()
        }
        if let lent, !lent.isStale { return lent }
        return try opening.reader(files, busyMilliseconds: busyMilliseconds)
    }

    private func giveBack(_ connection: SQLiteConnection, statements: Int) {
        state.withLock { state in
            state.statements += statements
            if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
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
