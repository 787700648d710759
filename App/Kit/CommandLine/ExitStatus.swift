/// The exit status of a command, based on BSD's `sysexits.h`. ``meaning`` describes each.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// The command has done its work.
    case success = 0
    /// The command has worked, and has found a problem in what it checked.
    case checkFailed = 1
    /// Unknown or contradictory options or arguments.
    case usage = 64
    /// A file or a value with invalid contents.
    case badInput = 65
    /// A file that cannot be read, or an id or name that the store does not have.
    case notFound = 66
    /// The store cannot be opened, or has failed.
    case storeUnavailable = 69
    /// A defect of the program, or a cancelled command.
    case internalError = 70
    /// Stored data contradicts the change: its version, a unique value, or a reference.
    case conflict = 73
    /// Standard output or a file cannot be written.
    case outputFailed = 74
    /// Another process has the store or the port; the same command may succeed later.
    case busy = 75
    /// The acting user may not do this.
    case forbidden = 77
    /// A setting of the environment or of the settings file is invalid.
    case configuration = 78
}

extension ExitStatus {
    /// A short description.
    public var meaning: String {
        switch self {
        case .success: "success"
        case .checkFailed: "a check found a problem"
        case .usage: "invalid command line"
        case .badInput: "invalid input"
        case .notFound: "a file or a stored object does not exist"
        case .storeUnavailable: "the store is unavailable"
        case .internalError: "internal error"
        case .conflict: "conflict with stored data"
        case .outputFailed: "cannot write the output or a file"
        case .busy: "the store or the port is in use; try again later"
        case .forbidden: "permission denied"
        case .configuration: "invalid setting"
        }
    }

    /// A table of all exit statuses, for the help.
    public static var help: String {
        let lines = allCases.map { status in
            let number = String(status.rawValue)
            return "  " + String(repeating: " ", count: 2 - number.count) + number + "  " + status.meaning
        }
        return (["EXIT STATUS:"] + lines).joined(separator: "\n")
    }
}
