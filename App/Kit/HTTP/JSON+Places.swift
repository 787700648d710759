internal import LarderDomain

extension JSON {
    /// Does what this body asks for. A reference that leads nowhere is refused by its place in the body, or by the empty
    /// pointer where the body does not have it.
    ///
    /// - Throws: `InvalidFields` for `dangling`; else what the work throws.
    public func locatingReferences<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            guard case .dangling(let dangling)? = error as? PersistencyError else { throw error }
            throw InvalidFields([FieldError(dangling, at: place(of: dangling) ?? "")])
        }
    }

    /// Of several places with the id, the first below a member of the column's name.
    private func place(of dangling: Dangling) -> String? {
        let places = places(of: dangling.id, at: "")
        let name = "/" + dangling.column.memberName
        return places.first { ($0 + "/").contains(name + "/") } ?? places.first
    }

    private func places(of id: RawID, at pointer: String) -> [String] {
        switch self {
        case .string(let text): RawID(text) == id ? [pointer] : []
        case .array(let elements):
            elements.enumerated().flatMap { $1.places(of: id, at: JSONPointer.to($0, in: pointer)) }
        case .object(let members):
            members.flatMap { $0.value.places(of: id, at: JSONPointer.to($0.name, in: pointer)) }
        case .null, .bool, .integer, .number: []
        }
    }
}
