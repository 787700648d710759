internal import LarderDomain

extension MappedMember {
    /// The same column of texts, followed by a derived column `name_folded` of the texts in lower case and without
    /// diacritics (`String.folded`). Queries find texts by `$0.name.folded` [folded.1] and sort by `\.name.folded`
    /// [folded.2]. Without a text, it is null [folded.4].
    ///
    /// What follows applies to the derived column: `.column("name", \.name).folded.unique` requires names that differ
    /// by more than case and diacritics [folded.3]. The schema set refuses it for columns of another type than `String` or
    /// `String?`.
    public var folded: MappedMember {
        guard case .column(let column, let encode, _, _) = kind else { return .refused(name + "_folded") }
        var folded = Column(
            name: column.name + "_folded", type: .text, isNullable: column.isNullable, isDerived: true,
            sealing: column.sealing)
        let path = keyPath.joined(\String?.folded) ?? keyPath.joined(\String.folded)
        // The check of the schema set refuses a default of another type.
        if path == nil { folded.defaultValue = .integer(0) }
        var member = MappedMember(
            path ?? keyPath,
            .column(
                folded,
                { (entity) throws(ValueRefusal) in
                    if case .text(let text) = try encode(entity) { .text(text.folded) } else { .null }
                },
                // Equal texts have equal folded texts, and the column before is compared first.
                { _, _ in true }, { _, _ in true }))
        member.formerNames = formerNames.map { $0 + "_folded" }
        member.isUnsealed = isUnsealed
        member.preceding = parts
        return member
    }
}
