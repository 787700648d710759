/// An error of a service's domain with a message for people. The app layer conforms the domain's error types, so that
/// the domain does not depend on the kit's app layer:
///
/// ```swift
/// extension LoanError: ServiceError {
///     var exitStatus: ExitStatus { .conflict }
///     var message: String { "all copies are on loan" }
/// }
/// ```
///
/// A command that throws it exits with the status. A route that throws it responds with the corresponding problem; for
/// another problem, the error also conforms to `ProblemConvertible` of `LarderHTTP`.
public protocol ServiceError: Error {
    /// The exit status of a command.
    var exitStatus: ExitStatus { get }
    /// The message, in lower case and without a period: `all copies are on loan`. Clients see it.
    var message: String { get }
    /// The next step at the command line; by default none.
    var advice: String? { get }
}

extension ServiceError {
    public var advice: String? { nil }
}
