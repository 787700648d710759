internal import Crypto
internal import LarderData
package import LarderDomain
package import Tracing

extension Spans {
    /// The trace of what followers do with a commit, in every process. Its ids are made of the commit's token, so that the
    /// span of the commit can have a link to it, and no store has to keep it. Empty if the tracer does not know
    /// `traceparent`.
    package func context(of commit: ChangeToken) -> InstrumentationContext {
        let digest = SHA256.hash(data: Array("\(commit)".utf8)).hexadecimal
        var context = InstrumentationContext.topLevel
        tracer.extract(
            [TraceFields.parent: "00-\(digest.prefix(32))-\(digest.suffix(16))-01"], into: &context,
            using: TraceFields())
        return context
    }

    /// Runs a follower's handler of a commit, in the trace of this commit.
    package func following(_ name: String, _ commit: ChangeToken, _ handler: () async throws -> Void) async throws {
        let transaction = InstrumentationContext.current
        try await span("process \(name)", .consumer, in: context(of: commit)) { span in
            span.attributes["messaging.system"] = "larder"
            span.attributes["messaging.operation.type"] = "process"
            span.attributes["messaging.consumer.group.name"] = name
            span.attributes["larder.commit"] = "\(commit)"
            // That of the handler's effects, which may have several commits.
            if let transaction { span.addLink(SpanLink(context: transaction, attributes: [:])) }
            try await handler()
        }
    }
}

extension Span {
    /// Names the commit, and adds a link to the trace of its followers.
    func follow(_ commit: ChangeToken, _ spans: Spans) {
        attributes["larder.commit"] = "\(commit)"
        let context = spans.context(of: commit)
        if !context.isEmpty { addLink(SpanLink(context: context, attributes: [:])) }
    }
}
