#if Postgres
internal import CLarderPostgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// One connection to a server, with its prepared statements. Calls block.
///
/// `@unchecked Sendable` is safe because only one thread uses it at a time: it belongs to a ``PostgresLane``, which the
/// pool lends to one operation at a time, and which uses it on its own thread, or on another one while that one waits.
@safe final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// The names of prepared statements, by their texts.
    var prepared = SQLStatementCache<String, String>(capacity: 256)
    private var nameCount = 0
    /// Differs between connections: a pooler may run a statement on the server's connection of another client, which must
    /// not have another statement of this name.
    private let namePrefix = "larder_" + String(UInt64.random(in: .min ... .max), radix: 36)
    /// The rows of lent aggregates.
    var rowBuffer = RowBuffer()
    /// The position in the journal up to which a replica is known to have all commits.
    var replayed: Int64 = 0
    /// Counts the statements run: that of its lane, if it has one.
    var activity = PostgresActivity()
    /// The number of warnings, which libpq would print otherwise. A warning during `COMMIT` says that the wait for a
    /// synchronous replica was cut short.
    private(set) var warnings = 0
    let canceller: PostgresCanceller
    /// The running operation, if a cancellation interrupts it.
    var operation: PostgresOperation?
    /// The process of the server.
    var backend: PostgresBackend?
    /// How long the server may take for a result; `nil` for no limit.
    var answerLimit: Duration? = .seconds(10)
    /// Whether its state is unknown, for example because the server did not answer in time.
    private(set) var isGivenUp = false

    /// Takes ownership of an open connection.
    init(opened handle: OpaquePointer) {
        unsafe self.handle = handle
        // Sending does not block either.
        _ = unsafe PQsetnonblocking(handle, 1)
        canceller = unsafe PostgresCanceller(handle)
        let receive: PQnoticeReceiver = { context, result in
            guard let context = unsafe context, unsafe PostgresConnection.field("C", of: result).hasPrefix("01") else {
                return
            }
            unsafe Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().warnings += 1
        }
        _ = unsafe PQsetNoticeReceiver(handle, receive, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Whether the connection was lost.
    var isBroken: Bool { unsafe isGivenUp || PQstatus(handle) != CONNECTION_OK }

    var socket: Int32 { unsafe PQsocket(handle) }

    /// Whether a transaction is open or the state is unknown.
    var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// A number out of range is a query that the database cannot answer.
    func isOverflow(_ error: PersistencyError) -> Bool {
        if case .unsupportedQuery = error { true } else { false }
    }

    /// Whether the next operation may use the connection: it is not lost, and outside of statements and transactions.
    var isIdle: Bool { unsafe !isBroken && !isInTransaction && PQpipelineStatus(handle) == PQ_PIPELINE_OFF }

    /// Makes the connection unusable. It is closed without waiting for the server.
    func giveUp() { isGivenUp = true }

    /// The version of the server, for example 150004.
    var serverVersion: Int { unsafe Int(PQserverVersion(handle)) }

    /// Runs statements without values.
    @discardableResult func execute(_ text: String) throws(PersistencyError) -> PostgresResult {
        activity.note(1)
        return try unsafe result(lastResult(PQsendQuery(handle, text)))
    }

    /// Runs a statement, which is prepared on first use.
    @discardableResult func run(
        _ text: String, _ values: [Value] = []
    ) throws(PersistencyError) -> PostgresResult {
        var found: PostgresResult?
        try run([PostgresStep(text, values) { found = $0 }])
        guard let found else { throw lastError.persistencyError }
        return found
    }

    /// A name for a new prepared statement.
    func nextName() -> String {
        nameCount += 1
        return "\(namePrefix)_\(nameCount)"
    }

    /// The result of a statement, or its error.
    func result(_ handle: OpaquePointer?) throws(PersistencyError) -> PostgresResult {
        do throws(PostgresError) { return try unsafe checked(handle) } catch { throw error.persistencyError }
    }

    /// The result of a statement, or the error of the server.
    func checked(_ handle: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let handle = unsafe handle else { throw lastError }
        switch unsafe PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return unsafe PostgresResult(handle)
        default:
            defer { unsafe PQclear(handle) }
            throw unsafe error(of: handle)
        }
    }

    private static func field(_ code: UnicodeScalar, of result: OpaquePointer?) -> String {
        unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) } ?? ""
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        let field = { code in unsafe Self.field(code, of: result) }
        let state = field("C")
        // Without a state, the connection is lost, and the message says how.
        let message = state.isEmpty ? unsafe String(cString: PQresultErrorMessage(result)) : field("M")
        return PostgresError(
            state: isBroken ? "" : state, message: message.trimmed, detail: field("D"), table: field("t"),
            constraint: field("n"))
    }

    var lastError: PostgresError {
        if isGivenUp {
            return PostgresError(
                state: "", message: "the server has not answered in time", isSilent: true,
                advice: PostgresAdvice.silence)
        }
        return PostgresError(state: "", message: unsafe String(cString: PQerrorMessage(handle)).trimmed)
    }
}
#endif
