internal import LarderApp

extension JSON {
    /// This value, overlaid by a more specific one: objects are merged, the elements of the other's array precede those
    /// of this one, and any other value replaces this one. Unlike in a merge patch, `null` is a value.
    func overlaid(by other: JSON) -> JSON {
        switch (self, other) {
        case (.object(let own), .object(let others)):
            let common = own.map { member in
                JSON.Member(member.name, other[member.name].map(member.value.overlaid) ?? member.value)
            }
            return .object(common + others.filter { self[$0.name] == nil })
        case (.array(let own), .array(let others)): return .array(others + own)
        default: return other
        }
    }
}
