public import LarderDomain

/// The operators of a service, who issue access tokens to everybody else. ``ServeCommand`` registers the first one.
public protocol OperatorRegistry: Sendable {
    /// The tokens of all callers.
    var tokens: AccessTokens { get }
    /// The form of an operator's name, for messages: `an e-mail address`.
    var nameForm: String { get }
    /// The name of the first operator if no setting names one and only this machine can reach the service.
    var standardName: String { get }

    /// The ids of all operators, which are the subjects of their tokens.
    func operators() async throws -> [RawID]
    /// Whether somebody who is not an operator has a name.
    ///
    /// - Throws: `InvalidField` for a text that cannot be a name.
    func isTaken(_ name: String) async throws -> Bool
    /// Registers an operator.
    func register(_ name: String) async throws -> RawID
}
