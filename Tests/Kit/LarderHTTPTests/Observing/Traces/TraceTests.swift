import Foundation
import HTTPTypes
import InMemoryTracing
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing
import Tracing

struct TraceTests {
    @Test func `one POST makes one trace, to which the traces of its followers have a link`() async throws {
        await #expect(processExitsWith: .success) {
            let tracer = TestTracer()
            InstrumentationSystem.bootstrap(tracer)
            try await Letters.serving(.memory) { api, port in
                // New followers start after the last commit.
                try await until {
                    let states = tracer.base.finishedSpans.filter {
                        $0.attributes["db.collection.name"]?.toSpanAttribute() == .string("follower_state")
                    }
                    return states.count { $0.operationName == "commit" } >= 2
                }
                let librarian = try await api.operators?.register("librarian") ?? RawID(high: 0, low: 0)
                let issued = try await api.tokens.issue(to: librarian, label: "test")
                let trace = "0af7651916cd43dd8448eb211c80319c"
                let status = try await Letters.post(
                    "Ann", to: port,
                    [
                        "Authorization": "Bearer \(issued.secret.text)", "Idempotency-Key": "1",
                        "traceparent": "00-\(trace)-b7ad6b7169203331-01",
                    ])
                #expect(status == 201)
                let route = "/v1/persons"
                let work = "\(route) > use case POST \(route)"
                try await until { tracer.paths(of: trace).contains(route) }
                let paths = tracer.paths(of: trace)
                for path in ["\(route) > read access_token", "\(work) > transaction > commit"] {
                    #expect(paths.contains(path), "\(paths)")
                }
                #expect(paths.allSatisfy { $0.hasPrefix(route) })
                let commit = try #require(
                    tracer.base.finishedSpans.first { $0.traceID == trace && $0.operationName == "commit" })
                #expect(commit.kind == .client)
                #expect(commit.attributes["db.system.name"]?.toSpanAttribute() == .string("memory"))
                #expect(commit.attributes["db.operation.name"]?.toSpanAttribute() == .string("commit"))
                #expect(commit.attributes["db.collection.name"]?.toSpanAttribute() == .string("stored_answer"))
                let linked = try #require(commit.links.first?.context.inMemorySpanContext)
                let isHandler = { (span: FinishedInMemorySpan) in
                    span.traceID == linked.traceID && span.parentSpanID == linked.spanID
                }
                try await until { tracer.base.finishedSpans.count(where: isHandler) == 2 }
                let handlers = tracer.base.finishedSpans.filter(isHandler)
                #expect(Set(handlers.map(\.operationName)) == ["process letters", "process names"])
                #expect(handlers.allSatisfy { $0.kind == .consumer })
                #expect(tracer.paths(of: linked.traceID).contains("process letters > read person"))
                let token = commit.attributes["larder.commit"]?.toSpanAttribute()
                #expect(token != nil)
                #expect(handlers.allSatisfy { $0.attributes["larder.commit"]?.toSpanAttribute() == token })
                // The effects of a `storing` follower are in its transaction.
                let storing = try #require(handlers.first { $0.operationName == "process names" })
                #expect(storing.links.count == 1)
            }
        }
    }

    @Test func `every process derives the same trace from a commit`() async {
        await #expect(processExitsWith: .success) {
            InstrumentationSystem.bootstrap(TestTracer())
            let spans = try #require(Spans())
            let context = spans.context(of: ChangeToken(lifetime: 1, position: 2)).inMemorySpanContext
            #expect(context?.traceID == "e14e2a67b4e0ef3b67dcd127c7f67b65" && context?.spanID == "3b142cc64e638edc")
        }
    }

    @Test func `a failure is recorded by its kind, without values`() async {
        await #expect(processExitsWith: .success) {
            let tracer = TestTracer()
            InstrumentationSystem.bootstrap(tracer)
            let mappers = try MapperSet([PersonMapper.self])
            let store = ObservedStore(MemoryStore(mappers.schemas), metrics: StoreMetrics(PrometheusMetrics()))
            let manager = StoreManager(store, mappers: mappers)
            let person = Person(id: EntityID(UUIDv7Generator().next()), name: "a secret name")
            try await manager.create(person)
            await #expect(throws: PersistencyError.self) {
                try await manager.transaction { try await $0.create(person) }
            }
            let failed = tracer.base.finishedSpans.filter { $0.attributes["error.type"] != nil }
            #expect(failed.map(\.operationName) == ["commit", "transaction"])
            #expect(failed.allSatisfy { $0.attributes["error.type"]?.toSpanAttribute() == .string("duplicate") })
            #expect(failed.allSatisfy { $0.errors.isEmpty && !"\($0.attributes)".contains("secret") })
        }
    }

    @Test func `without a tracer there is no span`() {
        #expect(Spans() == nil)
    }
}
