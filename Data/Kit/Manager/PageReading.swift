internal import LarderDomain

/// How a page of a query is read: after a cursor or, in the opposite order, before one.
struct PageReading {
    /// The request of the query in its order, which identifies its cursors.
    let query: ReadRequest
    /// The request of the page.
    var request: ReadRequest
    /// The place before which the page ends.
    private let end: Place?

    /// - Parameter read: Reads a page of at most one root.
    /// - Throws: `unsupportedQuery` for cursors in both directions, or before a rank; the errors of cursors and of `read`.
    init<E: Entity>(
        _ query: Query<E>, _ mapping: Mapping<E>, _ mappers: MapperSet,
        read: (ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject>
    ) async throws(PersistencyError) {
        let request = try ReadRequest(query, mapping, mappers)
        guard let before = query.before else {
            self.query = try await request.continued(after: query.after, read: read)
            (self.request, end) = (self.query, nil)
            return
        }
        guard query.after == nil, !request.isRanked else {
            throw .unsupportedQuery("a page before a cursor, and after one or in the order of a rank")
        }
        guard case .place(let end) = try before.position(in: request) else {
            throw .unsupportedQuery("a cursor that is not the start of a page")
        }
        self.query = request
        self.request = request.reversed(from: end)
        self.end = end
    }

    /// The end of the page before one after a cursor: it includes the root after which this one starts.
    var previous: Cursor? {
        query.isRanked ? nil : query.after?.following.flatMap { Cursor(exactly: $0, in: query) }
    }

    /// The items of an answer in the query's order, with the cursors at both ends.
    func page<Item>(_ answer: ReadResult<Item>) -> (items: [Item], previous: Cursor?, next: Cursor?) {
        guard let end else { return (answer.items, previous, answer.next.map { Cursor($0, in: query) }) }
        // The request's order has a further term for the id.
        let first = answer.next.map { Place(values: $0.values.dropLast(), id: $0.id) }
        return (
            answer.items.reversed(), first.flatMap { Cursor(exactly: $0, in: query) },
            end.preceding.flatMap { Cursor(exactly: $0, in: query) }
        )
    }
}

extension ReadRequest {
    fileprivate func reversed(from end: Place) -> ReadRequest {
        var reversed = self
        reversed.order = order.map { OrderTerm($0.operand, isDescending: !$0.isDescending) }
        reversed.order.append(OrderTerm(.id, isDescending: true))
        reversed.after = Place(values: end.values + [.id(end.id)], id: end.id)
        return reversed
    }
}

extension Place {
    /// The place with the next id, before which a page ends that includes this place.
    fileprivate var following: Place? {
        let (low, carries) = id.low.addingReportingOverflow(1)
        let (high, overflows) = id.high.addingReportingOverflow(carries ? 1 : 0)
        return overflows ? nil : Place(values: values, id: RawID(high: high, low: low))
    }

    /// The place with the previous id, after which a page starts that includes this place.
    fileprivate var preceding: Place? {
        let (low, borrows) = id.low.subtractingReportingOverflow(1)
        let (high, overflows) = id.high.subtractingReportingOverflow(borrows ? 1 : 0)
        return overflows ? nil : Place(values: values, id: RawID(high: high, low: low))
    }
}
