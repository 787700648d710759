/// An error of a service's own domain that people are told about. The app layer conforms the domain's error types, so
/// that the domain does not depend on the kit's app layer:
///
/// ```swift
/// extension LoanError: ServiceError {
///     var exitStatus: ExitStatus { .conflict }
///     var message: String { "all copies are on loan" }
/// }
/// ```
///
/// A command that throws it ends with the exit status. A route that throws it responds with the problem of the same
/// meaning; for another problem, the error conforms to `ProblemConvertible` of `LarderHTTP`, too.
public protocol ServiceError: Error {
    /// The exit status of a command.
    var exitStatus: ExitStatus { get }
    /// What is wrong, in lower case and without a period: `all copies are on loan`. Clients see it.
    var message: String { get }
    /// What to do next at the command line; by default nothing.
    var advice: String? { get }
}

extension ServiceError {
    public var advice: String? { nil }
}
