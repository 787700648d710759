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
        case .success: "done"
        case .checkFailed: "a check found something wrong"
        case .usage: "the command line is wrong"
        case .badInput: "something in the input is wrong"
        case .notFound: "a file, or something stored, is not there"
        case .storeUnavailable: "the store cannot be used"
        case .internalError: "the program itself is wrong"
        case .conflict: "in conflict with what is stored"
        case .outputFailed: "the output, or a file, cannot be written"
        case .busy: "the store, or the port, is in use; try again later"
        case .forbidden: "not allowed"
        case .configuration: "a setting is wrong"
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
