/// The exit status of a command, based on BSD's `sysexits.h`. ``meaning`` describes each.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    case success = 0
    case checkFailed = 1
    case usage = 64
    case badInput = 65
    case notFound = 66
    case storeUnavailable = 69
    case internalError = 70
    case conflict = 73
    case outputFailed = 74
    case busy = 75
    case forbidden = 77
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
