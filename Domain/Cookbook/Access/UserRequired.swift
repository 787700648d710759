/// An action that only a user can perform, requested by the program itself.
public struct UserRequired: Error, Hashable, Sendable {
    /// The action, as a verb phrase: "own a cookbook".
    public let action: String

    /// Names the action.
    public init(_ action: String) {
        self.action = action
    }
}
