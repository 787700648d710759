internal import LarderApp
internal import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// The file descriptors of the process, of which each connection is one.
///
/// A process without a free descriptor cannot be trusted: the dispatch library, which runs the threads of Swift's tasks,
/// opens a file to look at threads that are delayed, and ends the process if it cannot.
enum Descriptors {
    /// The descriptors that are left for the rest of the service: the listener and the signals, three for each event
    /// loop, and 16 for scans of the store, the temporary file, a backup, and the dispatch library.
    static var reserve: Int { 20 + 3 * (System.coreCount + 1) }
    /// The minimum number of connections for which the service starts.
    static let fewestConnections = 4

    /// The limits with as many connections as there are descriptors, after raising the process's limit.
    ///
    /// - Parameter others: The descriptors that the store may open while it runs, in addition to the reserve.
    /// - Throws: `CommandFailure` if there are too few.
    static func bound(_ limits: ServerLimits, others: Int) throws(CommandFailure) -> ServerLimits {
        var limits = limits
        let wanted = openCount + reserve + others + limits.connections + limits.reservedConnections
        limits.connections = try connections(
            limits.connections, limit: raise(to: wanted), used: openCount + reserve + others)
        return limits
    }

    /// The number of connections, of a wanted number, that fit into a limit with their reserve.
    static func connections(_ wanted: Int, limit: Int, used: Int) throws(CommandFailure) -> Int {
        let room = limit - used
        // The reserved connections are an eighth, and at least 8.
        let number = min(wanted, room - 8, room * 8 / 9)
        guard number >= min(wanted, fewestConnections) else {
            throw CommandFailure(
                .configuration,
                "the limit of \(limit) open files leaves none for connections: \(used) are needed for other purposes",
                advice:
                    "Raise it to \(used + wanted + max(8, wanted / 8)), for example with ulimit -n or LimitNOFILE=."
            )
        }
        return number
    }

    /// Raises the soft limit of the process as far as the hard one permits.
    ///
    /// - Returns: The soft limit.
    static func raise(to wanted: Int) -> Int {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
        if limit.rlim_cur < rlim_t(wanted), limit.rlim_cur < limit.rlim_max {
            let before = limit.rlim_cur
            limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
            if unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of open descriptors. New ones get the lowest free number, so few at the start have high ones.
    private static var openCount: Int {
        (0..<4096).count { fcntl($0, F_GETFD) != -1 }
    }
}
