import InMemoryTracing
import Tracing

/// An in-memory tracer that passes its context on as `traceparent`, as those of exporters do.
struct TestTracer: Tracer {
    let base = InMemoryTracer(
        idGenerator: .init(
            nextTraceID: { Self.digits(of: .random(in: 1 ... .max)) + Self.digits(of: .random(in: 1 ... .max)) },
            nextSpanID: { Self.digits(of: .random(in: 1 ... .max)) }))

    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        base.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
            line: line)
    }

    func forceFlush() { base.forceFlush() }

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
        guard parts.count == 4 else { return }
        context.inMemorySpanContext = InMemorySpanContext(
            traceID: String(parts[1]), spanID: String(parts[2]), parentSpanID: nil)
    }

    /// The finished spans of a trace, each with the names of its ancestors, outermost first.
    func paths(of trace: String) -> Set<String> {
        let spans = base.finishedSpans.filter { $0.traceID == trace }
        let named = Dictionary(spans.map { ($0.spanID, $0) }) { first, _ in first }
        return Set(
            spans.map { span in
                var names = [span.operationName]
                var parent = span.parentSpanID
                while let next = parent.flatMap({ named[$0] }) {
                    names.append(next.operationName)
                    parent = next.parentSpanID
                }
                return names.reversed().joined(separator: " > ")
            })
    }
}
