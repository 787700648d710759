internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import Tracing

/// The spans of a store's operations. Each is made when the operation has ended, because no other span is within it.
struct StoreSpans: Sendable {
    let spans: Spans
    private let system: String

    /// `nil` without a tracer.
    init?(_ store: any Store) {
        guard let spans = Spans() else { return nil }
        (self.spans, system) = (spans, store.systemName)
    }

    /// Makes the span of an operation that ends now.
    ///
    /// - Parameter token: The position of a commit.
    func note(
        _ operation: StoreOperation, _ entity: String, lasting duration: Duration, at token: ChangeToken? = nil,
        _ error: PersistencyError? = nil
    ) {
        let end = DefaultTracerClock.now
        let nanoseconds = UInt64(max(0, duration.nanoseconds))
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(nanoseconds, end.nanosecondsSinceEpoch))
        // A commit may change several entities.
        let span = spans.tracer.startSpan(
            operation == .commit ? "commit" : "\(operation.rawValue) \(entity)", context: .current ?? .topLevel,
            ofKind: .client, at: start)
        span.attributes["db.system.name"] = system
        span.attributes["db.operation.name"] = operation.rawValue
        span.attributes["db.collection.name"] = entity
        if let error { span.note(error) }
        if let token { span.follow(token, spans) }
        span.end(at: end)
    }
}
