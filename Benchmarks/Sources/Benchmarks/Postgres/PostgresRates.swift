#if Postgres
import LarderDomain
import LarderPostgres

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Operations per second from 16 tasks, relative to 16 clients of pgbench with the same statements, both on 16
/// connections; and the lateness of a timer while 16 tasks use 8 connections.
struct PostgresRates {
    static let tasks = 16
    private static let rounds = 3
    private static let duration = Duration.seconds(4)
    private static let target = 0.8
    let works: PostgresWorks
    /// With a connection for each task.
    let side: PostgresLarderSide
    let server: String
    let folder: String

    /// - Parameter name: `rates`, or the number of the only work, `P6` or `P7`.
    func run(part name: String) async throws {
        let dish = "WHERE id = ('0190' || lpad(to_hex(:n::bigint), 8, '0') || '70008000000000000000')::uuid"
        let columns = """
            id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, \
            is_completed, created_at
            """
        let start = "\\set n random(0, \(works.count - 1))\nSELECT \(columns) FROM dish \(dish)"
        let update = """
            \(start) \\gset
            \\startpipeline
            UPDATE dish SET version = version + 1, rating = :rating + 1 \(dish) AND version = :version;
            INSERT INTO larder_journal (commit_id, committed_at, size, changes) SELECT gen_random_uuid(),
                1700000000000000, 2, decode(repeat('00', 50), 'hex') FROM pg_advisory_xact_lock(:client_id);
            \\endpipeline
            """
        Report.row("per second, from \(Self.tasks)", ["pgbench", "Larder", "ratio", "target"])
        if name != "P7" {
            try await compare("P6 point reads", start + ";") { number in
                _ = try await side.dishes.read(Dish(number: number).id)
            }
        }
        if name != "P6" {
            try await compare("P7 updates", update) { number in try await Self.rate(number, side.dishes) }
        }
        if name == "rates" { try await lateness() }
    }

    /// Reads the dish, compares, and updates its rating.
    private static func rate(_ number: Int, _ dishes: DishRepository) async throws {
        var dish = Dish(number: number)
        dish.rating = .random(in: 6...1_000_000)
        try await dishes.save(dish)
    }

    private func compare(
        _ name: String, _ script: String, _ body: @escaping @Sendable (_ number: Int) async throws -> Void
    ) async throws {
        var (theirs, ours): ([Double], [Double]) = ([], [])
        for round in 0...Self.rounds {
            let (their, our) = (try pgbench(script), try await rate(round, body))
            if round > 0 { (theirs, ours) = (theirs + [their], ours + [our]) }
        }
        let ratio = Spread(zip(ours, theirs).map { $0 / $1 })
        Report.row(
            name, [Spread(theirs).median, Spread(ours).median, ratio.median, Self.target].map(Report.decimal),
            ratio.median < Self.target ? "missed" : "met")
    }

    private func rate(
        _ round: Int, _ body: @escaping @Sendable (_ number: Int) async throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        let began = clock.now
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<Self.tasks {
                let numbers = works.numbers(10_000, below: works.count, seed: 1 + round * Self.tasks + task)
                group.addTask {
                    var done = 0
                    while clock.now - began < Self.duration {
                        try await body(numbers[done % numbers.count])
                        done += 1
                    }
                    return done
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(done) / ((clock.now - began).microseconds / 1e6)
    }

    private func pgbench(_ script: String) throws -> Double {
        let path = folder + "/script"
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        let command =
            "PGOPTIONS=-csearch_path=bench pgbench -n -M prepared -c \(Self.tasks) -j 2 "
            + "-T \(Self.duration.components.seconds) -f \(path) '\(server)'"
        let words = try ChildProcess.run(["/bin/sh", "-c", command], in: URL(filePath: folder)).output
        guard let place = words.firstIndex(of: "tps"), let rate = Double(words[place + 2]) else {
            throw PostgresFloor.Failure(message: words.joined(separator: " "))
        }
        return rate
    }

    private func lateness() async throws {
        let (dishes, works) = (works.larder.dishes, works)
        let reads = { @Sendable in
            for id in works.ids(1_000, seed: 8) where !Task.isCancelled { _ = try await dishes.read(id) }
        }
        let updates = { @Sendable in
            let numbers = works.numbers(1_000, below: works.count, seed: .random(in: 1...1_000))
            for number in numbers where !Task.isCancelled { try await Self.rate(number, dishes) }
        }
        let scan = { @Sendable in _ = try await dishes.read(Query()) }
        var lateness: [(name: String, Lateness)] = []
        for (name, loads) in [
            ("nothing else to do", []), ("while 1 task reads points", [reads]),
            ("while \(Self.tasks) tasks read points", Array(repeating: reads, count: Self.tasks)),
            ("while \(Self.tasks) tasks update", Array(repeating: updates, count: Self.tasks)),
            ("while 2 tasks scan", [scan, scan]),
        ] as [(String, [@Sendable () async throws -> Void])] {
            lateness.append((name, try await Lateness.measure(for: .seconds(4), beside: loads)))
        }
        Report.print(lateness)
    }
}
#endif
