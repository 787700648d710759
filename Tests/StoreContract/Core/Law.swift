public import LarderData

/// Something that every store must keep, checked against a fresh one.
public struct Law: Sendable, Identifiable {
    /// What it is about.
    public let group: LawGroup
    /// The law itself, a sentence; no two laws have the same.
    public let name: String
    /// What a store must be able to do for the law to say anything about it.
    public let needs: Set<Capability>
    let check: @Sendable (Trial) async throws -> Void

    /// The sentence.
    public var id: String { name }

    init(
        _ group: LawGroup, _ name: String, needs: Set<Capability> = [],
        check: @escaping @Sendable (Trial) async throws -> Void
    ) {
        self.group = group
        self.name = name
        self.needs = needs
        self.check = check
    }
}

/// What became of a law.
public enum Verdict: Sendable, Hashable {
    /// The store keeps it.
    case kept
    /// It does not; the text says what happened instead.
    case broken(String)
    /// The store cannot do what the law is about.
    case notApplicable(missing: Capability)
}

/// A law and what became of it.
public struct LawVerdict: Sendable {
    /// The law.
    public let law: Law
    /// What became of it.
    public let verdict: Verdict
}

extension LawVerdict: CustomStringConvertible {
    /// One line for a person: `kept  order: Pages meet every entity once`.
    public var description: String {
        switch verdict {
        case .kept: "kept  \(law.group): \(law.name)"
        case .broken(let reason): "BROKEN  \(law.group): \(law.name): \(reason)"
        case .notApplicable(let missing): "n/a  \(law.group): \(law.name) (needs \(missing))"
        }
    }
}
