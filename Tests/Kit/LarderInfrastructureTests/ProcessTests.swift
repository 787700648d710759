import Testing

/// Tests beside processes that they started, one after the other: Swift Testing keeps a thread of the cooperative pool
/// for itself as long as such a process runs, and on two cores there are two. Two tests at once that wait for each
/// other's turn would wait for ever.
@Suite(.serialized) enum ProcessTests {}
