internal import LarderApp

extension ResourceRoutes {
    /// Refuses unknown members of a patch: a misspelt one would change nothing, and the response would not tell. Other
    /// bodies are whole representations, in which unknown members are ignored.
    ///
    /// - Throws: `InvalidFields` naming each unknown member.
    static func checkMembers(of patch: JSON) throws(InvalidFields) {
        guard case .object(let members) = patch else { return }
        var fields = JSONFields(patch)
        let known = Set(R.members.map(\.name))
        for member in members where !known.contains(member.name) { fields.note(member.name, "is not a known member") }
        try fields.check()
    }
}
