internal import CLarderSQLite
internal import LarderDomain

/// Decides for SQLite, while it prepares a statement of ``SQLiteDatabase``, whether each of its actions is permitted.
///
/// Everything that is not known to be harmless is refused. The triggers and virtual tables that a statement uses are
/// decided with it.
final class SQLiteAuthorizer {
    /// The tables and indexes that only the store changes, in lower case; `nil` if nothing may be changed.
    private let protected: Set<String>?
    /// Why the current statement was refused; SQLite's own message is "not authorized".
    private var refusal: String?

    init(protected: Set<String>?) {
        self.protected = protected
    }

    /// Runs a body while this authorizer decides for a connection. Cached statements are prepared again when they are
    /// next used, so the body uses none.
    func watching<Result>(
        _ connection: SQLiteConnection, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // This object outlives the body, and with it all calls. They run on the thread that prepares the statement.
        unsafe sqlite3_set_authorizer(
            connection.handle,
            { context, action, first, second, _, _ in
                guard let context = unsafe context else { return SQLITE_DENY }
                let (first, second) = unsafe (
                    first.map { unsafe String(cString: $0) }, second.map { unsafe String(cString: $0) }
                )
                let authorizer = unsafe Unmanaged<SQLiteAuthorizer>.fromOpaque(context).takeUnretainedValue()
                return authorizer.permits(action, first ?? "", second ?? "") ? SQLITE_OK : SQLITE_DENY
            }, context)
        defer { unsafe sqlite3_set_authorizer(connection.handle, nil, nil) }
        return try body()
    }

    /// Runs a statement. If it was refused, replaces SQLite's error by the reason.
    func explaining<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        refusal = nil
        do throws(PersistencyError) {
            return try body()
        } catch {
            if let refusal { throw .unsupportedQuery(refusal) }
            throw error
        }
    }

    private func permits(_ action: Int32, _ first: String, _ second: String) -> Bool {
        guard let reason = SQLiteRules(protected: protected).refusal(of: action, first, second) else { return true }
        refusal = refusal ?? reason
        return false
    }
}
