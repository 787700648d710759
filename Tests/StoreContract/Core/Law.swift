public import LarderData

/// A requirement for every store, checked against a fresh one.
public struct Law: Sendable, Identifiable {
    /// The group of the law.
    public let group: LawGroup
    /// The law itself, a sentence; unique among all laws.
    public let name: String
    /// The capability that the law requires. A store without it is not judged by this law.
    public let needs: Set<Capability>
    /// The ids of the requirements that the law tests, as the comments of the ports have them in brackets.
    public private(set) var requirements: [String] = []
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

    /// The law with the ids of its requirements: a store that breaks one of them breaks the law.
    func tests(_ requirements: String...) -> Law { tests(requirements) }

    func tests(_ requirements: [String]) -> Law {
        var law = self
        law.requirements = requirements
        return law
    }
}

/// The result of judging a law.
public enum Verdict: Sendable, Hashable {
    /// The store keeps the law.
    case kept
    /// The store breaks the law; the text states the actual behavior.
    case broken(String)
    /// The store lacks the capability that the law requires.
    case notApplicable(missing: Capability)
}

/// A law and its result.
public struct LawVerdict: Sendable {
    /// The law.
    public let law: Law
    /// The result.
    public let verdict: Verdict
}

extension LawVerdict: CustomStringConvertible {
    /// One line of a report: `kept  order: Pages meet every entity once`. A broken law names its requirements.
    public var description: String {
        switch verdict {
        case .kept: "kept  \(law.group): \(law.name)"
        case .broken(let reason):
            "BROKEN  \(law.group): \(law.name): \(reason)\(law.requirements.map { " [\($0)]" }.joined())"
        case .notApplicable(let missing): "n/a  \(law.group): \(law.name) (needs \(missing))"
        }
    }
}
