#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderPostgres

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The works on PostgreSQL: `make bench-postgres`, which starts the server and the peer.
struct PostgresWorks {
    let floor: PostgresFloorSide
    let larder: PostgresLarderSide
    let sides: [any PostgresSide]
    let (count, feastCount): (Int, Int)
    let passes: Int

    /// - Parameters:
    ///   - count: The number of dishes.
    ///   - part: `works`, `rates`, `sets`, or the number of the only work, such as `P1`.
    static func run(_ count: Int, passes: Int, part name: String) async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let server = environment["BENCH_SERVER"], let folder = environment["BENCH_FOLDER"] else {
            return print("run Benchmarks/postgres, which starts a server")
        }
        if name == "search" {
            return try await SearchScale(count: count) { try await open(server, schema: "search_\($0)", $1) }.run()
        }
        if name == "sets" { return try await PostgresSets.run(count, passes: passes, server) }
        let schema = "bench"
        try PostgresFloor(server).execute(
            "SET client_min_messages TO warning; DROP SCHEMA IF EXISTS \(schema) CASCADE; CREATE SCHEMA \(schema)")
        let larder = try await PostgresLarderSide(server, schema: schema)
        let feastCount = max(count / 20, 200)
        try await fill(larder.store, count, feastCount)
        let inSchema = server + " options='-csearch_path=\(schema)'"
        let floor = try PostgresFloorSide(inSchema)
        let journaling = try PostgresFloorSide(inSchema, journals: true)
        try floor.settle()
        // The peer serves one program.
        let hasPeer = name == "works" || name.hasPrefix("P") && name < "P6"
        let works = PostgresWorks(
            floor: floor, larder: larder,
            sides: [floor, larder, journaling] + (hasPeer ? [try PostgresPeerSide(folder: folder)] : []), count: count,
            feastCount: feastCount, passes: passes)
        let all: KeyValuePairs<String, () async throws -> Comparison> = [
            "P1": { try await works.pointReads(part(3_000)) }, "P2": { try await works.feastLoads(part(1_000)) },
            "P3": { try await works.updates(part(500)) }, "P4": { try await works.creations(10_000) },
            "P5": { try await works.queries(part(20)) },
        ]
        let wanted = all.filter { ["works", $0.key].contains(name) }
        if wanted.isEmpty {
            let side = try await PostgresLarderSide(server, schema: schema, connections: PostgresRates.tasks)
            try await PostgresRates(works: works, side: side, server: server, folder: folder).run(part: name)
            await side.store.close()
        } else {
            print(
                "\(count) dishes, \(feastCount) aggregates; medians of \(passes) passes, ratios to libpq (least-greatest)\n"
            )
            var comparisons: [Comparison] = []
            for (_, work) in wanted { comparisons.append(try await work()) }
            Report.print(comparisons)
        }
        await larder.store.close()
    }

    /// Opens a store in a new schema, whose size includes its indexes.
    private static func open(
        _ server: String, schema: String, _ schemas: SchemaSet
    ) async throws -> SearchScale.Opened {
        let floor = try PostgresFloor(server)
        try floor.execute("CREATE SCHEMA \"\(schema)\"")
        try floor.prepare([
            "size": """
            SELECT sum(pg_total_relation_size(oid))::int8 FROM pg_class
            WHERE relkind = 'r' AND relnamespace = '"\(schema)"'::regnamespace
            """
        ])
        let store = try await PostgresStore.open(.init(server, schema: schema), schemas: schemas)
        return (store, { try floor.run("size", []) { PostgresRow(result: $0, row: 0).integer(0) ?? 0 } })
    }

    private static func fill(_ store: any Store, _ count: Int, _ feastCount: Int) async throws {
        for start in stride(from: 0, to: count, by: 5_000) {
            let objects = try (start..<min(start + 5_000, count)).map {
                try DishMapper.storageObject(from: Dish(number: $0))
            }
            _ = try await store.commit(ChangeSet(inserts: objects))
        }
        try await FileScale.fill(store, feastCount)
    }

    private func compare(
        _ name: String, target: Double, operations: Int,
        _ pass: @escaping @Sendable (any PostgresSide, Int) async throws -> Timed
    ) async throws -> Comparison {
        let runners = sides.map { side in Comparison.Runner(name: side.name) { try await pass(side, $0) } }
        return try await Comparison.run(
            .init(work: name, target: target, operations: operations, sides: runners), passes: passes)
    }

    func pointReads(_ operations: Int) async throws -> Comparison {
        try await compare("P1 point reads", target: 1.3, operations: operations) { [self] side, number in
            try await side.read(ids(operations, seed: number))
        }
    }

    func feastLoads(_ operations: Int) async throws -> Comparison {
        try await compare("P2 aggregate with children", target: 1.4, operations: operations) { [self] side, number in
            try await side.read(
                numbers(operations, below: feastCount, seed: number).map { Feast(number: $0).id })
        }
    }

    func updates(_ operations: Int) async throws -> Comparison {
        try await compare("P3 update with commit", target: 1.3, operations: operations) { [self] side, number in
            try await side.rate(Array(Set(ids(operations, seed: number))).sorted())
        }
    }

    func creations(_ operations: Int) async throws -> Comparison {
        let dishes = (count..<count + operations).map(Dish.init)
        return try await compare("P4 \(operations) created, each", target: 1.4, operations: operations) {
            [self] side, _ in
            let timed = try await side.create(dishes)
            defer { try? floor.delete(from: dishes[0].id) }
            return Timed(duration: timed.duration, sum: try floor.sum(from: dishes[0].id))
        }
    }

    func queries(_ operations: Int) async throws -> Comparison {
        try await compare("P5 query for 1 %, sorted", target: 1.3, operations: operations) { side, number in
            try await side.read(preparedIn: (0..<operations).map { 1 + (number * operations + $0) % 88 })
        }
    }

    /// Random ids, the same for the same seed.
    func ids(_ count: Int, seed: Int) -> [EntityID<Dish>] {
        numbers(count, below: self.count, seed: seed).map { Dish(number: $0).id }
    }

    func numbers(_ count: Int, below limit: Int, seed: Int) -> [Int] {
        var chance = SplitMix64(state: UInt64(seed))
        return (0..<count).map { _ in Int(chance.next() % UInt64(limit)) }
    }
}
#endif
