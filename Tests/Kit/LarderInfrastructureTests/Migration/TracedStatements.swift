import CLarderSQLite
import LarderDomain

@testable import LarderInfrastructure

/// Calls a closure before each statement that runs on a connection.
final class TracedStatements {
    private let connection: SQLiteConnection
    private let body: () -> Void

    init(_ connection: SQLiteConnection, _ body: @escaping () -> Void) {
        (self.connection, self.body) = (connection, body)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_trace_v2(
            connection.handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, _ in
                guard let context = unsafe context else { return 0 }
                unsafe Unmanaged<TracedStatements>.fromOpaque(context).takeUnretainedValue().body()
                return 0
            }, context)
    }

    deinit { unsafe sqlite3_trace_v2(connection.handle, 0, nil, nil) }
}
