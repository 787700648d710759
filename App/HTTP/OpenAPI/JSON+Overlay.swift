internal import LarderApp

extension JSON {
    /// This value with a more specific one over it: objects are merged, the elements of an array of the other precede
    /// those of this one, and any other value replaces this one. Unlike a merge patch, `null` is a value.
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
