import Foundation
import LarderData
import LarderDomain
import LarderFollowers

extension FollowerLoad {
    /// Does recurring work until the tick of each is at a time or later. Each tick leaves a line with its work, its tick, and the
    /// start of the process, in microseconds: storing work in the store, calling work in a file.
    func repeatWork(until end: Timestamp, every interval: Duration, _ path: String) async throws {
        let began = Timestamp.now()
        let file = FileHandle(fileDescriptor: unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600))
        var works: [RecurringWork] = []
        for (suffix, missed) in [("once", RecurringWork.Missed.runOnce), ("skip", .skip)] {
            let added = [
                storing("storing-\(suffix)", every: interval, began),
                .calling("calling-\(suffix)", every: .interval(interval)) { tick, _ in
                    try file.write(contentsOf: Data("\(line("calling-\(suffix)", tick, began))\n".utf8))
                },
            ]
            for var work in added {
                (work.missed, work.tolerance) = (missed, interval / 2)
                works.append(work)
            }
        }
        works.append(storing("slow", every: interval * 100, began))
        for index in works.indices { works[index].policy.lease = Self.lease }
        let followers = try Followers([], recurring: works, store: store, manager: manager) { notice in
            switch notice {
            case .done(let work, let tick): log("done \(work) \(tick.microseconds)")
            case .interrupted: break
            default: log("\(notice)")
            }
        }
        try await printStates(followers)
        let run = Task { try await followers.run() }
        while try await followers.recurringStates().count < works.count { try await pause() }
        log("started")
        // While the server of the store restarts, the states cannot be read.
        while await (try? followers.recurringStates())?.allSatisfy({ $0.tick >= end }) != true { try await pause() }
        run.cancel()
        try await run.value
    }

    private func storing(_ name: String, every interval: Duration, _ began: Timestamp) -> RecurringWork {
        .storing(name, every: .interval(interval)) { tick, unit in
            try await unit.create(Beat(line: line(name, tick, began)))
        }
    }

    /// Prints the lines in the store, and the stored ticks.
    func printTicks() async throws {
        for try await beat in manager.stream(Query<Beat>()) { log(beat.entity.line) }
        try await printStates(try Followers([], store: store, manager: manager))
    }

    private func printStates(_ followers: Followers) async throws {
        for state in try await followers.recurringStates() { log("state \(state.name) \(state.tick.microseconds)") }
    }
}

private func line(_ work: String, _ tick: Timestamp, _ began: Timestamp) -> String {
    "line \(work) \(tick.microseconds) \(began.microseconds)"
}
