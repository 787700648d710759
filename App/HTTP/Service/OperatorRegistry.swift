public import LarderDomain

/// The operators of a service, who issue access tokens to all others. ``ServeCommand`` registers the first one.
public protocol OperatorRegistry: Sendable {
    /// The tokens of all callers.
    var tokens: AccessTokens { get }
    /// The form of an operator's name, for messages: `an e-mail address`.
    var nameForm: String { get }
    /// The default name of the first operator, if only this machine can reach the service.
    var standardName: String { get }

    /// The ids of all operators, which are the subjects of their tokens.
    func operators() async throws -> [RawID]
    /// Whether a name belongs to an existing subject that is not an operator.
    ///
    /// - Throws: `InvalidField` for a text that cannot be a name.
    func isTaken(_ name: String) async throws -> Bool
    /// Registers an operator.
    func register(_ name: String) async throws -> RawID
}
