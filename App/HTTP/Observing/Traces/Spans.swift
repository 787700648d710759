internal import LarderDomain
package import Tracing

/// The spans of the kit. Without a tracer of the process there is none, and nothing is done for them.
package struct Spans: Sendable {
    let tracer: any Tracer

    /// `nil` if `InstrumentationSystem` has no tracer. Call it once for each part of a service, which then keeps it.
    package init?() {
        tracer = InstrumentationSystem.tracer
        if tracer is NoOpTracer { return nil }
    }

    /// Runs work in a span. An error is recorded by its kind, because its text may contain values.
    package func span<Result>(
        _ name: String, _ kind: SpanKind = .internal, in context: InstrumentationContext? = nil,
        _ work: (any Span) async throws -> Result
    ) async throws -> Result {
        let span = tracer.startSpan(name, context: context ?? .current ?? .topLevel, ofKind: kind)
        defer { span.end() }
        do {
            return try await InstrumentationContext.$current.withValue(span.context) { try await work(span) }
        } catch {
            span.note(error)
            throw error
        }
    }
}

extension Span {
    func note(_ error: any Error) {
        attributes["error.type"] = (error as? PersistencyError)?.outcome ?? "\(type(of: error))"
    }
}
