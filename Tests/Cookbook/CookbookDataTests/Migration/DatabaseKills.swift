import CLarderSQLite
import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Takes a copy of a database and its log before each statement of a connection: the files that a process leaves when
/// it is killed there.
@safe final class DatabaseKills {
    struct Files {
        var database: [UInt8]
        var log: [UInt8]

        /// Hashing many bytes takes less time than comparing them one by one.
        fileprivate var digest: Int {
            var hasher = Hasher()
            for bytes in [database, log] {
                hasher.combine(bytes.count)
                unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            }
            return hasher.finalize()
        }
    }

    private let path: String
    private let connection: OpaquePointer
    private(set) var statements = 0
    /// The files before each statement, without repetitions in a row.
    private(set) var images: [Files] = []
    private var digest: Int?
    private var failure: (any Error)?

    init(_ path: String, _ connection: OpaquePointer) {
        unsafe (self.path, self.connection) = (path, connection)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, _ in
                guard let context = unsafe context else { return 0 }
                unsafe Unmanaged<DatabaseKills>.fromOpaque(context).takeUnretainedValue().note()
                return 0
            }, context)
    }

    /// Ends the observation, and returns all files: before each statement, after the last one, and after each page that
    /// a commit appends to the log.
    func end(pageSize: Int) throws -> [Files] {
        unsafe sqlite3_trace_v2(connection, 0, nil, nil)
        take()
        if let failure { throw failure }
        guard let last = images.last else { return [] }
        // A log has a header, and each page one, too.
        let lengths = stride(from: 32, to: last.log.count, by: 24 + pageSize)
        return images + lengths.map { Files(database: last.database, log: Array(last.log.prefix($0))) }
    }

    private func note() {
        statements += 1
        take()
    }

    private func take() {
        do {
            let files = try Files(database: TimeMachine.bytes(path), log: TimeMachine.bytes(path + "-wal"))
            let last = digest
            digest = files.digest
            if digest != last { images.append(files) }
        } catch {
            failure = failure ?? error
        }
    }
}
