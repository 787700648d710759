extension Condition {
    static func all(_ conditions: [Condition]) -> Condition {
        let parts = conditions.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } }
        if parts.contains(.always(false)) { return .always(false) }
        let rest = parts.filter { $0 != .always(true) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .always(true) : .and(rest)
    }

    static func any(_ conditions: [Condition]) -> Condition {
        let parts = conditions.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } }
        if parts.contains(.always(true)) { return .always(true) }
        let rest = parts.filter { $0 != .always(false) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .always(false) : .or(rest)
    }

    /// The negation, without a double negation.
    var negated: Condition {
        switch self {
        case .always(let value): .always(!value)
        case .not(let inner): inner
        default: .not(self)
        }
    }
}
