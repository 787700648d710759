internal import LarderDomain

/// The position of an event in a store's commits: `<boot>-<sequence>`, for example `5f0c91ab5f0c91ab-1042`.
///
/// A client sends it back in `Last-Event-ID`. A position between two events of a client, whose commit the client could
/// not see, is valid too.
public struct EventID: Hashable, Sendable {
    /// Identifies the lifetime of the store's tokens; see ``ChangeFeed``.
    public let boot: String
    /// The position of the last commit that the client has received, 0 before the first.
    public let sequence: Int64

    public init(boot: String, sequence: Int64) {
        (self.boot, self.sequence) = (boot, sequence)
    }
}

extension EventID: LosslessStringConvertible {
    /// `<boot>-<sequence>`.
    public var description: String { "\(boot)-\(sequence)" }

    /// Parses the exact format of ``description``; `nil` for any other text, for example with leading zeros.
    public init?(_ description: String) {
        guard description.utf8.count <= 64, let hyphen = description.lastIndex(of: "-") else { return nil }
        let boot = description[..<hyphen]
        let digits = description[description.index(after: hyphen)...]
        guard
            !boot.isEmpty, boot.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }),
            let sequence = Int64(digits), sequence >= 0, String(sequence) == digits
        else { return nil }
        self.init(boot: String(boot), sequence: sequence)
    }
}
