internal import LarderData
internal import LarderDomain

/// The schemas with which a log is continued: the declared ones, and the parts of the log that they do not have.
struct LogTarget {
    let plan: SchemaPlan
    let schemas: SchemaSet
    let further: FurtherColumns
    let history: [SchemaHistoryEntry]
    /// Whether the log is written with these schemas already, member by member. Otherwise nothing may be appended to it.
    let isCurrent: Bool

    /// Throws `incompatible` as ``SchemaPlanner``.
    init(
        _ declared: SchemaSet, over head: LogHead, hasJournal: Bool, at time: Timestamp
    ) throws(PersistencyError) {
        plan = try SchemaPlanner.plan(declared, over: head.record)
        schemas = try declared.adding(SchemaShape(plan.kept).roots)
        further = FurtherColumns(plan.kept.filter { $0.kind == .column && declared[$0.entity] != nil })
        let isRecorded = plan.isEmpty && !head.record.history.isEmpty
        history = isRecorded ? head.record.history : plan.recorded(at: time).history
        isCurrent =
            isRecorded && head.format == LogCodec.format && (head.lifetime != 0) == hasJournal
            && head.record.items == schemas.items + further.items
    }
}
