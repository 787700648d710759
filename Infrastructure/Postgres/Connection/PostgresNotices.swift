#if Postgres
internal import CLarderPostgres

/// Counts the warnings of a connection, which libpq would print otherwise.
///
/// A warning during `COMMIT` says that the wait for a synchronous replica was cut short.
@safe final class PostgresNotices {
    private(set) var warnings = 0

    /// - Parameter connection: A connection that does not outlive the object.
    func listen(to connection: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context,
                    let state = unsafe PQresultErrorField(result, Int32(UnicodeScalar("C").value))
                else { return }
                guard unsafe String(cString: state).hasPrefix("01") else { return }
                unsafe Unmanaged<PostgresNotices>.fromOpaque(context).takeUnretainedValue().warnings += 1
            }, context)
    }
}
#endif
