#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The length of random runs: seconds during development, a minute in CI, hours for a proof.
///
/// `LARDER_RUN_SIZE` chooses it: `quick` unless it is set, and `ci` in `make prove`.
public enum RunSize: String, Sendable {
    /// Seconds, for development.
    case quick
    /// About a minute, for CI.
    case ci
    /// Hours, for a proof.
    case prove

    /// The size that the environment selects; quick if the variable is missing or has an unknown value.
    public static let current = ProcessInfo.processInfo.environment["LARDER_RUN_SIZE"].flatMap(Self.init) ?? .quick

    /// The number for this size.
    public func of(quick: Int, ci: Int, prove: Int) -> Int {
        switch self {
        case .quick: quick
        case .ci: ci
        case .prove: prove
        }
    }

    /// The seed of this run: `LARDER_SEED` if it is set, to repeat a run; random when proving, so that each run covers
    /// new cases; otherwise fixed, so that CI fails only because of a change.
    public static let seed: UInt64 =
        ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
        ?? (current == .prove ? .random(in: 1...9_999_999) : 20_261_121)
}
