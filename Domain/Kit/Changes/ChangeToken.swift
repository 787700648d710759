/// A position in the sequence of a store's commits, opaque to callers.
///
/// A token is valid for one lifetime of the store: with a journal, as long as the store exists [token.1]; without one,
/// until the store is closed. Changes can be followed from it, and a read can require that its answer includes its
/// commit.
///
/// A store whose files were replaced by an older copy, or that lost commits with the power below full durability, uses
/// positions again: tokens of lost commits then name other ones.
public struct ChangeToken: Hashable, Sendable {
    /// Identifies the lifetime of the store [token.2].
    public let lifetime: UInt64
    /// The number of a commit within the lifetime, greater than those of the commits before [token.3]; 0 precedes the
    /// first commit.
    public let position: Int64

    /// Creates a token; for stores.
    public init(lifetime: UInt64, position: Int64) {
        (self.lifetime, self.position) = (lifetime, position)
    }
}

extension ChangeToken: LosslessStringConvertible {
    /// For example `00c0ffee00c0ffee-42`: the lifetime in 16 hexadecimal digits, and the position.
    public var description: String { "\(lifetime.hexadecimal)-\(position)" }

    /// Parses the exact format of ``description``; `nil` for any other text.
    public init?(_ description: String) {
        let bytes = description.utf8
        guard bytes.count <= 36, let lifetime = UInt64(description.prefix(16), radix: 16),
            let position = Int64(description.dropFirst(17)), position >= 0
        else { return nil }
        self.init(lifetime: lifetime, position: position)
        guard self.description == description else { return nil }
    }
}
