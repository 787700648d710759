/// `DecoratorLoad [OPTION...] LOCATION...`: prints the content of a store, and commits until it is killed.
///
/// Options are described in `LoadOptions`. Each of the tasks numbers its commits, from the count of its counter on. A line
/// is `promoted POSITION`, `counter TASK COUNT`, `entry TASK NUMBER VERSION`, `torn ENTRY` for an entry with other
/// values, `ready` after the content, and then `stored TASK NUMBER POSITION` for each acknowledged commit, or
/// `failed TASK NUMBER ERROR`.
import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure

@main
struct DecoratorLoad {
    static let tasks = 4

    let store: any Store
    let entries: Entries

    static func main() async {
        do {
            let options = try LoadOptions(CommandLine.arguments.dropFirst())
            let load = DecoratorLoad(store: try await options.open(), entries: options.entries)
            let counts = try await load.printContent()
            log("ready")
            await withTaskGroup { group in
                for task in 0..<tasks { group.addTask { await load.run(task, from: counts[task]) } }
                if let path = options.backup { group.addTask { await load.backUp(to: path) } }
            }
        } catch {
            log("error \(error)")
            exit(1)
        }
    }

    /// Prints the content.
    ///
    /// - Returns: The count of each task.
    private func printContent() async throws -> [Int] {
        var counts = Array(repeating: 0, count: Self.tasks)
        for counter in try await store.read(ReadRequest(entries.counter, content: .complete)).items {
            guard case .integer(let count) = counter.values[0] else { continue }
            counts[Int(counter.id.low)] = Int(count)
            Self.log("counter \(counter.id.low) \(count)")
        }
        for entry in try await store.read(ReadRequest(entries.entry, content: .complete)).items {
            let (task, number) = (Int(entry.id.high), Int(entry.id.low))
            let isWhole = entry == entries.object(task, number, isChanged: entry.version == 2)
            Self.log(isWhole ? "entry \(task) \(number) \(entry.version)" : "torn \(entry)")
        }
        return counts
    }

    private func run(_ task: Int, from first: Int) async {
        for number in first... {
            do {
                let receipt = try await store.commit(entries.changes(task, number))
                Self.log("stored \(task) \(number) \(receipt.token.position)")
            } catch {
                return Self.log("failed \(task) \(number) \(error)")
            }
        }
    }

    private func backUp(to path: String) async {
        while true {
            do { _ = try await Backup.write(store, to: path, replacing: true) } catch {
                return Self.log("failed backup: \(error)")
            }
        }
    }

    static func log(_ line: String) {
        // One write, so that lines of several tasks do not mix.
        try? FileHandle.standardOutput.write(contentsOf: Data((line.replacing("\n", with: " ") + "\n").utf8))
    }
}
