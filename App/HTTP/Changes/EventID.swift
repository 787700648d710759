internal import LarderDomain

/// The place of an event in the stream of one run of the server: `<boot>-<sequence>`, for example `5f0c91ab-1042`.
///
/// A client sends it back in `Last-Event-ID`. The feed numbers the commits of its run, so a place between two events that
/// a client saw, or might have seen, is a place as well.
public struct EventID: Hashable, Sendable {
    /// Which run of the server; see ``ChangeFeed``.
    public let boot: String
    /// The number of the last commit that is told, 0 before the first.
    public let sequence: Int64

    public init(boot: String, sequence: Int64) {
        (self.boot, self.sequence) = (boot, sequence)
    }

    /// A name for one run of the server: eight hexadecimal digits.
    public static func randomBoot(using generator: inout some RandomNumberGenerator) -> String {
        UInt32.random(in: .min ... .max, using: &generator).hexadecimal
    }
}

extension EventID: LosslessStringConvertible {
    /// `<boot>-<sequence>`.
    public var description: String { "\(boot)-\(sequence)" }

    /// Reads what ``description`` writes, and nothing else: `nil` for every other text, leading zeros included.
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
