/// The role of a user.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Reads, cooks, and owns cookbooks.
    case reader
    /// Also creates recipes, and changes them.
    case cook
    /// Has all permissions.
    case admin
}
