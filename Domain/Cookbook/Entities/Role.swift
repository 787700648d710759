/// What a user does here.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Reads, cooks, and keeps cookbooks.
    case reader
    /// Brings recipes in too, and looks after those.
    case cook
    /// May do everything.
    case admin
}
