internal import HTTPTypes
internal import LarderApp

/// A domain error that defines its problem, for example with errors in single fields.
public protocol ProblemConvertible: Error {
    /// The problem in the response.
    var problem: Problem { get }
}

extension Problem {
    /// The problem for a domain error; `nil` if the error is a failure of the service itself.
    init?(service error: any ServiceError) {
        let kind: Kind? =
            switch error.exitStatus {
            case .notFound: .notFound
            case .conflict: .conflict
            case .forbidden: .forbidden
            case .usage, .badInput: .invalidFields
            case .busy, .storeUnavailable: .storeUnavailable
            case .success, .checkFailed, .internalError, .outputFailed, .configuration: nil
            }
        guard let kind else { return nil }
        let detail = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        self.init(kind, detail, headers: kind == .storeUnavailable ? [.retryAfter: "1"] : [:])
    }
}
