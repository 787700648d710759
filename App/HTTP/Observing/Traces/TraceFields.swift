public import Logging
internal import Tracing

/// The fields by which a tracer passes its context on, here of `traceparent` (W3C Trace Context).
struct TraceFields: Extractor, Injector {
    static let parent = "traceparent"

    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key.lowercased()] }

    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key.lowercased()] = value
    }
}

extension Logger.MetadataProvider {
    /// The ids of the current span, as `trace_id` and `span_id`, for tracers that know `traceparent`.
    public static let trace = Logger.MetadataProvider {
        guard let context = InstrumentationContext.current else { return [:] }
        var fields: [String: String] = [:]
        InstrumentationSystem.instrument.inject(context, into: &fields, using: TraceFields())
        let parts = fields[TraceFields.parent]?.split(separator: "-") ?? []
        guard parts.count >= 4 else { return [:] }
        return ["trace_id": "\(parts[1])", "span_id": "\(parts[2])"]
    }
}
