/// A change of a file of the template.
struct Edit: Equatable {
    let path: String
    /// The text that is replaced. The template contains it, or the change is refused.
    let old: String
    let new: String

    init(_ path: String, _ old: String, _ new: String) {
        (self.path, self.old, self.new) = (path, old, new)
    }

    func applied(to text: String) throws -> String {
        guard text.contains(old) else { throw Refusal("the template's '\(path)' does not contain '\(old)'") }
        return text.replacing(old, with: new)
    }
}

extension [Edit] {
    /// The text of a file with its changes.
    func applied(to text: String, at path: String) throws -> String {
        try filter { $0.path == path }.reduce(text) { try $1.applied(to: $0) }
    }
}
