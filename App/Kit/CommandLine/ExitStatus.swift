/// How a command ends, after the numbers of BSD's `sysexits.h`.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// All is done.
    case success = 0
    /// A check found something wrong.
    case checkFailed = 1
    /// The command line is wrong.
    case usage = 64
    /// Something in the input is wrong; what was right may have been taken.
    case badInput = 65
    /// A file, or something that is stored, is not there.
    case notFound = 66
    /// The store cannot be used now.
    case storeUnavailable = 69
    /// The program is wrong.
    case internalError = 70
    /// What is to be stored is in conflict with what is stored.
    case conflict = 73
    /// The output, or a file, cannot be written.
    case outputFailed = 74
    /// Somebody else uses the store, or the port; the same command may succeed later.
    case busy = 75
    /// It is not allowed.
    case forbidden = 77
    /// A setting is wrong.
    case configuration = 78
}

extension ExitStatus {
    /// What it means, in a few words.
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

    /// A table of all of them, for the help.
    public static var help: String {
        let lines = allCases.map { status in
            let number = String(status.rawValue)
            return "  " + String(repeating: " ", count: 2 - number.count) + number + "  " + status.meaning
        }
        return (["EXIT STATUS:"] + lines).joined(separator: "\n")
    }
}
