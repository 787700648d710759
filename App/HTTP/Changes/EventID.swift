internal import LarderDomain

/// The position of an event in the stream of one run of the server: `<boot>-<sequence>`, for example `5f0c91ab-1042`.
///
/// A client sends it back in `Last-Event-ID`. The feed numbers the commits of its run, so a number between two events
/// of a client, whose commit the client could not see, is a valid position too.
public struct EventID: Hashable, Sendable {
    /// The identifier of a run of the server; see ``ChangeFeed``.
    public let boot: String
    /// The number of the last commit that the client has received, 0 before the first.
    public let sequence: Int64

    public init(boot: String, sequence: Int64) {
        (self.boot, self.sequence) = (boot, sequence)
    }

    /// A random identifier for a run of the server: eight hexadecimal digits.
    public static func randomBoot(using generator: inout some RandomNumberGenerator) -> String {
        UInt32.random(in: .min ... .max, using: &generator).hexadecimal
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
