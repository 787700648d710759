#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How long runs of random work are: seconds while you write, a minute in CI, hours when you want to be sure.
///
/// `LARDER_RUN_SIZE` chooses it, and `make test` and `make prove` set it.
public enum RunSize: String, Sendable {
    case quick, ci, prove

    /// What the environment says; quick if it says nothing that is known.
    public static let current = ProcessInfo.processInfo.environment["LARDER_RUN_SIZE"].flatMap(Self.init) ?? .quick

    /// The number for this size.
    public func of(quick: Int, ci: Int, prove: Int) -> Int {
        switch self {
        case .quick: quick
        case .ci: ci
        case .prove: prove
        }
    }

    /// The seed of this run: `LARDER_SEED` if it is set, so that a run can be repeated; chance when proving, so that
    /// each run sees something new; else always the same, so that CI fails for a change and not for bad luck.
    public static let seed: UInt64 =
        ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
        ?? (current == .prove ? .random(in: 1...9_999_999) : 20_261_121)
}
