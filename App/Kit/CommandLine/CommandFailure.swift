internal import LarderDomain

/// An error that ends a command, with a message for a person.
public struct CommandFailure: Error, Sendable, Equatable {
    /// The exit status.
    public let status: ExitStatus
    /// The message; empty if the error has already been reported.
    public let message: String
    /// The next step for the user.
    public let advice: String?

    /// Creates a failure; without a message, one that has already been reported.
    public init(_ status: ExitStatus, _ message: String = "", advice: String? = nil) {
        (self.status, self.message, self.advice) = (status, message, advice)
    }

    /// The failure for an error of the lower layers; `nil` for an error of any other type.
    public init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any ServiceError: self.init(error.exitStatus, error.message, advice: error.advice)
        case let error as PersistencyError: self.init(error.status, error.description, advice: error.advice)
        case let field as InvalidField: self.init(.badInput, field.description)
        case let input as InputError where input.isTooLong: self.init(.badInput, input.description)
        case let input as InputError: self.init(.notFound, input.description, advice: "Check the path.")
        case is CancellationError: self.init(.internalError, "cancelled")
        default: return nil
        }
    }
}

extension PersistencyError {
    fileprivate var status: ExitStatus {
        switch self {
        case .notFound: .notFound
        case .duplicate, .dangling, .refused, .conflict, .contention: .conflict
        case .forbidden: .forbidden
        case .invalid, .unsupportedQuery: .badInput
        case .alreadyOpen: .busy
        case .incompatible: .storeUnavailable
        case .unavailable(let trouble), .inDoubt(_, let trouble):
            trouble.reason == .busy ? .busy : .storeUnavailable
        case .cancelled, .unknownEntity, .outsideTransaction: .internalError
        }
    }

    fileprivate var advice: String? {
        switch self {
        case .alreadyOpen: "Stop the other program, or choose another --store."
        case .incompatible: "Choose another --store; this one was not changed."
        case .forbidden: "Choose a permitted user with --as EMAIL."
        case .conflict, .contention: "Try again: the command reads the stored version again."
        case .inDoubt: "Check the stored data before you try again."
        case .unavailable(let trouble): trouble.advice
        default: nil
        }
    }
}

extension Unavailable {
    fileprivate var advice: String? {
        switch reason {
        case .busy: "Try again when the other program has finished."
        case .full: "Free some space on the device and try again."
        case .readOnly: "Obtain write permission, or choose another --store."
        case .unreachable: "Check that the server of --store is running, and try again."
        case .closed, .tooLarge, .failed: nil
        }
    }
}
