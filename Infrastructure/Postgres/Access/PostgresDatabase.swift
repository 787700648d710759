#if Postgres
internal import CLarderPostgres
public import LarderData
public import LarderDomain
public import LarderInfrastructure

/// A database within the transaction of ``PostgresAccess``. It is not `Sendable`, so it cannot leave the body.
///
/// Each call runs one statement, whose parameters (`$1`, `$2`) get the values of the call. A parameter has the type
/// that the statement gives it, as in `$1::date`, and the server converts the text of the value: for a `bool`, 0 or 1.
/// The store's instants are microseconds since 1970.
///
/// In rows, `bool` (0 or 1), `smallint`, `integer`, `bigint` and `oid` are integers, `real` and `double precision` are
/// reals, `bytea` and `uuid` are blobs. All other types, such as `numeric` and `jsonb`, are PostgreSQL's text.
///
/// After a statement that fails, the transaction can only be rolled back: further ones fail, too.
public struct PostgresDatabase {
    let connection: PostgresConnection
    /// Whether the transaction writes.
    let writes: Bool

    /// Runs a statement and returns its rows.
    ///
    /// - Throws: `unsupportedQuery`, with the server's code and message, for a text that is not exactly one valid
    ///   statement, that the access does not permit, or that has another number of parameters than values. `cancelled`
    ///   once the task is cancelled. `contention` for a serialization failure or a deadlock. `unavailable`, with the
    ///   server's code and message, if the statement fails, for example at a constraint, or `busy` at a time limit.
    /// - Complexity: The rows are in memory together. Restrict them with `LIMIT`.
    public func rows(_ sql: String, _ values: [Value] = []) throws(PersistencyError) -> [SQLRow] {
        let result = try perform(sql, values)
        let (columns, types) = (result.columns, result.columnTypes)
        return result.map { row in
            SQLRow(columns: columns, values: types.enumerated().map { Value(row.value($0, .text), type: $1) })
        }
    }

    /// Runs a statement and ignores its rows.
    ///
    /// - Returns: The number of rows that the statement itself has inserted, updated or deleted.
    /// - Throws: As ``rows(_:_:)``.
    @discardableResult
    public func run(_ sql: String, _ values: [Value] = []) throws(PersistencyError) -> Int {
        let result = try perform(sql, values)
        let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { result.command.hasPrefix($0) }
        return isChange ? result.written : 0
    }

    private func perform(_ sql: String, _ values: [Value]) throws(PersistencyError) -> PostgresResult {
        if Task.isCancelled { throw .cancelled }
        if let refusal = PostgresRules.refusal(of: sql, writes: writes) { throw .unsupportedQuery(refusal) }
        try connection.checkTransaction()
        connection.activity.note(1)
        let handle = unsafe connection.handle
        // Unnamed, so that the server forgets it. It accepts only one statement.
        _ = try unsafe connection.answer(PQsendPrepare(handle, "", sql, 0, nil), writes: writes)
        let parameters = try unsafe connection.answer(PQsendDescribePrepared(handle, ""), writes: writes).parameterTypes
        guard values.count == parameters.count else {
            throw .unsupportedQuery(
                "the statement has \(parameters.count) parameters, but the number of values is \(values.count)")
        }
        let texts = zip(values, parameters).compactMap { $0.parameter($1) }
        guard texts.count == values.count else {
            throw .unsupportedQuery("a text must not contain U+0000, and bytes need a parameter of the type bytea")
        }
        let isSent = unsafe texts.withParameters { addresses, _, _ in
            unsafe PQsendQueryPrepared(handle, "", Int32(truncatingIfNeeded: texts.count), addresses, nil, nil, 0)
        }
        return try connection.answer(isSent, writes: writes)
    }
}

@available(*, unavailable)
extension PostgresDatabase: Sendable {}

extension PostgresResult {
    fileprivate var columns: [String] {
        unsafe (0..<PQnfields(handle)).map { unsafe String(cString: PQfname(handle, $0)) }
    }

    fileprivate var columnTypes: [UInt32] { unsafe (0..<PQnfields(handle)).map { unsafe PQftype(handle, $0) } }

    /// The types of the parameters of a described statement.
    fileprivate var parameterTypes: [UInt32] {
        unsafe (0..<PQnparams(handle)).map { unsafe PQparamtype(handle, $0) }
    }
}

extension Value {
    private static let bytea: UInt32 = 17

    /// The value of a column that the server has sent as a text.
    fileprivate init(_ sent: Value, type: UInt32) {
        guard case .text(let text) = sent else {
            self = sent
            return
        }
        let value: Value? =
            switch type {
            case 16: .integer(text == "t" ? 1 : 0)
            case 20, 21, 23, 26: Int64(text).map(Value.integer)
            case 700, 701: Double(text).map(Value.real)
            case Self.bytea where text.hasPrefix("\\x"), 2950: .blob(text.bytes)
            default: sent
            }
        self = value ?? sent
    }

    /// The text for a parameter of a type, which ends with U+0000; `nil` if it has none.
    fileprivate func parameter(_ type: UInt32) -> Value? {
        switch self {
        case .null: .null
        case .integer(let integer): .text("\(integer)\0")
        case .real(let real): .text("\(real)\0")
        case .text(let text): text.utf8.contains(0) ? nil : .text("\(text)\0")
        case .blob(let bytes): type == Self.bytea ? .text("\\x\(bytes.hexadecimal)\0") : nil
        case .id(let id): .text("\(id)\0")
        }
    }
}

extension String {
    /// The bytes of its hexadecimal digits; others are ignored.
    fileprivate var bytes: [UInt8] {
        let digits = utf8.compactMap(\.hexadecimalValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
#endif
