#if Postgres
import CPostgres
import LarderDomain

/// The minimal use of libpq: one connection, statements prepared once, values bound and read in binary form.
///
/// Unchecked, because one task at a time uses it.
final class PostgresFloor: @unchecked Sendable {
    /// An unexpected result of the server.
    struct Failure: Error {
        let message: String
    }

    /// An id, the bytes of many, or an integer.
    enum Parameter {
        case id(RawID)
        case ids([RawID])
        case integer(Int)
    }

    let connection: OpaquePointer

    /// - Parameter text: A connection string of libpq.
    init(_ text: String) throws {
        guard let opened = PQconnectdb(text) else { throw Failure(message: "out of memory") }
        connection = opened
        guard PQstatus(opened) == CONNECTION_OK else { throw failure }
    }

    deinit { PQfinish(connection) }

    var failure: Failure { Failure(message: String(cString: PQerrorMessage(connection))) }

    func prepare(_ statements: KeyValuePairs<String, String>) throws {
        for (name, text) in statements { try end(PQprepare(connection, name, text, 0, nil)) }
    }

    func execute(_ text: String) throws { try end(PQexec(connection, text)) }

    /// Runs a prepared statement, and lends its result.
    func run<Result>(
        _ name: String, _ parameters: [Parameter], _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let result = Self.lend(parameters) {
            PQexecPrepared(connection, name, Int32(parameters.count), $0, $1, $2, 1)
        }
        defer { PQclear(result) }
        return try body(check(result))
    }

    /// Runs prepared statements in one round trip, and lends their results in order.
    func pipeline(
        _ statements: [(name: String, parameters: [Parameter])], _ body: (_ index: Int, OpaquePointer) throws -> Void
    ) throws {
        PQenterPipelineMode(connection)
        defer { PQexitPipelineMode(connection) }
        for (name, parameters) in statements {
            _ = Self.lend(parameters) {
                PQsendQueryPrepared(connection, name, Int32(parameters.count), $0, $1, $2, 1)
            }
        }
        PQpipelineSync(connection)
        for index in statements.indices {
            let result = PQgetResult(connection)
            defer { PQclear(result) }
            try body(index, check(result))
            _ = PQgetResult(connection)
        }
        PQclear(PQgetResult(connection))
    }

    /// Copies rows in the binary format in one transaction.
    ///
    /// - Parameter next: Appends the next row to the bytes; `false` after the last one.
    func copy(into table: String, _ next: (inout [UInt8]) -> Bool) throws {
        let start = PQexec(connection, "COPY \(table) FROM STDIN (FORMAT binary)")
        defer { PQclear(start) }
        guard PQresultStatus(start) == PGRES_COPY_IN else { throw failure }
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
        func flush() {
            bytes.withUnsafeBytes { bytes in
                _ = PQputCopyData(
                    connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            bytes.removeAll(keepingCapacity: true)
        }
        while next(&bytes) { if bytes.count > 1 << 16 { flush() } }
        bytes += [0xFF, 0xFF]
        flush()
        PQputCopyEnd(connection, nil)
        try end(PQgetResult(connection))
        _ = PQgetResult(connection)
    }

    private func end(_ result: OpaquePointer?) throws {
        defer { PQclear(result) }
        _ = try check(result)
    }

    private func check(_ result: OpaquePointer?) throws -> OpaquePointer {
        guard let result, [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw failure }
        return result
    }

    private static func lend<Result>(
        _ parameters: [Parameter],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        var words: [UInt64] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            switch parameter {
            case .id(let id): words += [id.high.bigEndian, id.low.bigEndian]
            case .ids(let ids): for id in ids { words += [id.high.bigEndian, id.low.bigEndian] }
            case .integer(let integer): words.append(UInt64(bitPattern: Int64(integer)).bigEndian)
            }
            lengths.append(Int32(words.count * 8) - lengths.reduce(0, +))
        }
        return words.withUnsafeBytes { bytes in
            var offset = 0
            let addresses = lengths.map { length in
                defer { offset += Int(length) }
                return bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            return body(addresses, lengths, [Int32](repeating: 1, count: lengths.count))
        }
    }
}
#endif
