internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A failed system call: the cause of a ``PersistencyError``.
struct SystemError: Error, Sendable, CustomStringConvertible {
    let description: String
    let number: Int32

    static var full: Int32 { ENOSPC }

    /// Makes a system call, and retries it while signals interrupt it. Returns its result, which is not negative.
    @discardableResult
    static func check<Answer: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Answer
    ) throws(PersistencyError) -> Answer {
        while true {
            let answer = body()
            if answer >= 0 { return answer }
            if errno != EINTR { throw .system(call, path) }
        }
    }
}

extension PersistencyError {
    /// A failure that is neither that of a system call nor temporary.
    static func failed(_ message: String, cause: (any Error)? = nil) -> PersistencyError {
        .unavailable(Unavailable(.failed, message, cause: cause))
    }

    /// A failed call with an error number; by default, `errno`.
    static func system(_ call: String, _ path: String, number: Int32? = nil) -> PersistencyError {
        let number = number ?? errno
        return unsafe system("\(call) \(path): \(String(cString: strerror(number)))", number)
    }

    /// A path that exists already, so that no file can be created there.
    static func occupied(_ path: String) -> PersistencyError { system("create", path, number: EEXIST) }

    /// A path that no longer names the open file.
    static func replaced(_ path: String) -> PersistencyError {
        system(
            "\(path) was deleted or replaced while the store has it open; changes are refused, because they would be lost",
            ENOENT)
    }

    private static func system(_ description: String, _ number: Int32) -> PersistencyError {
        let reason: Unavailable.Reason =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EROFS, EACCES: .readOnly
            default: .failed
            }
        let cause = SystemError(description: description, number: number)
        return .unavailable(Unavailable(reason, description, cause: cause))
    }

    /// The error number of the failed system call, if one is the cause.
    var systemNumber: Int32? {
        if case .unavailable(let trouble) = self { (trouble.cause as? SystemError)?.number } else { nil }
    }

    /// Whether the caller lacks permission for the call, or the path does not support it.
    var isRefusal: Bool { [EACCES, EPERM, EROFS, EINVAL].contains(systemNumber) }
}
