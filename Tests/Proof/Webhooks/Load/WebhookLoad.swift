/// `WebhookLoad DATABASE URL SECRET TASKS EVENTS`: tasks, each with a series, record events until each series has a number of
/// them, and an outbox sends them to the URL; ends when all are sent. The process may be killed.
import LarderData
import LarderDomain
import LarderFollowers
import LarderInfrastructure
import LarderWebhooks

/// The number of events of a task.
struct Series: Entity {
    let id: EntityID<Series>
    var events: Int64
}

struct Step: Entity {
    let id: EntityID<Step>
    let series: EntityID<Series>
    let number: Int64
}

enum SeriesMapper: EntityMapper {
    static let mapping = Mapping<Series>("series", id: \.id, [.column("events", \.events)])

    static func entity(from row: inout ObjectReader) throws -> Series { try Series(id: row.id(), events: row.next()) }
}

enum StepMapper: EntityMapper {
    static let mapping = Mapping<Step>(
        "step", id: \.id, [.column("series", \.series), .column("number", \.number)])

    static func entity(from row: inout ObjectReader) throws -> Step {
        try Step(id: row.id(), series: row.next(), number: row.next())
    }
}

@main
struct WebhookLoad {
    let manager: StoreManager
    let ids = UUIDv7Generator()

    static func main() async throws {
        let arguments = CommandLine.arguments
        let mappers = try MapperSet([SeriesMapper.self, StepMapper.self] + Followers.mappers)
        let store = try await SQLiteStore.open(
            .init(.file(arguments[1]), durability: .normal), schemas: mappers.schemas)
        let load = WebhookLoad(manager: StoreManager(store, mappers: mappers))
        let webhook = try Webhook(
            arguments[2], secrets: [WebhookSecret(arguments[3])], permitsPrivateAddresses: true)
        var outbox = Follower.outbox(
            "steps",
            [
                Delivery(of: Step.self) { step in
                    let body = #"{"series": "\#(step.series)", "number": \#(step.number)}"#
                    try await webhook.send(Array(body.utf8), id: "\(step.id)")
                }
            ])
        (outbox.policy.attempts, outbox.policy.longestPause) = (.max, .milliseconds(10))
        let followers = try Followers([outbox], store: store, manager: load.manager)
        let run = Task { try await followers.run() }
        try await load.record(tasks: Int64(arguments[4]) ?? 0, events: Int64(arguments[5]) ?? 0)
        while try await load.manager.read(Query<Step>(limit: 1)).items.isEmpty == false {
            try await Task.sleep(for: .milliseconds(20))
        }
        run.cancel()
        try await run.value
        await store.close()
    }

    private func record(tasks: Int64, events: Int64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 1...tasks {
                group.addTask {
                    let id = EntityID<Series>(RawID(high: 0, low: UInt64(task)))
                    while try await recordOne(of: id, atMost: events) {}
                }
            }
            try await group.waitForAll()
        }
    }

    /// Records the next event of a series; `false` if it has all.
    private func recordOne(of id: EntityID<Series>, atMost events: Int64) async throws -> Bool {
        try await manager.transaction { unit in
            let last = try await unit.read(id)?.entity.events ?? 0
            guard last < events else { return false }
            try await unit.save(Series(id: id, events: last + 1))
            try await unit.create(Step(id: EntityID(ids.next()), series: id, number: last + 1))
            return true
        }
    }
}
