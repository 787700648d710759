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
    /// The system's number for the kind of failure.
    let number: Int32

    /// Describes the call that has just failed.
    init(_ call: String, _ path: String) {
        self.init(call, path, number: errno)
    }

    /// Describes a call that failed with this number.
    init(_ call: String, _ path: String, number: Int32) {
        self.number = number
        description = unsafe "\(call) \(path): \(String(cString: strerror(number)))"
    }

    /// Describes a path that cannot be taken for a new file.
    init(occupied path: String) { self.init("create", path, number: EEXIST) }

    /// Describes a path that no longer names the file that is open.
    init(replaced path: String) {
        number = ENOENT
        description =
            "\(path) was deleted or replaced while the store has it open; changes are refused, because they would be lost"
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

extension SystemError {
    /// The number for "no room".
    static var full: Int32 { ENOSPC }

    /// Whether the call is not for whoever made it, or not for what it was made on.
    var isRefusal: Bool { [EACCES, EPERM, EROFS, EINVAL].contains(number) }

    /// Makes a call, again for as long as a signal interrupts it.
    ///
    /// - Returns: What it answers, which is not negative.
    @discardableResult
    static func check<Answer: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Answer
    ) throws(SystemError) -> Answer {
        while true {
            let answer = body()
            if answer >= 0 { return answer }
            if errno != EINTR { throw SystemError(call, path) }
        }
    }
}
