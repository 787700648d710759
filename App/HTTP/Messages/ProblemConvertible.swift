internal import HTTPTypes
internal import LarderApp

/// An error of a service's own domain with a problem of its own choice, for example with errors of single fields.
public protocol ProblemConvertible: Error {
    /// The problem that a client gets.
    var problem: Problem { get }
}

extension Problem {
    /// The problem of a domain's own error; `nil` if the error is the service's own failure.
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
