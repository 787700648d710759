internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A system call that failed.
struct SystemError: Error, Sendable, CustomStringConvertible {
    let description: String
    private let number: Int32

    /// Describes the call that has just failed.
    init(_ call: String, _ path: String) {
        number = errno
        description = unsafe "\(call) \(path): \(String(cString: strerror(number)))"
    }

    var persistencyError: PersistencyError {
        let reason: Unavailable.Reason =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EROFS, EACCES: .readOnly
            default: .failed
            }
        return .unavailable(Unavailable(reason, description, cause: self))
    }
}
