#if Postgres
import LarderDomain

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// SQLAlchemy with psycopg2, in `Benchmarks/postgres-peer`, which reads a line for each pass, and answers with the
/// microseconds, the count, and the checksum.
///
/// Unchecked, because one task at a time uses it.
final class PostgresPeerSide: PostgresSide, @unchecked Sendable {
    let name = "SQLAlchemy"
    private let input: UnsafeMutablePointer<FILE>
    private let output: UnsafeMutablePointer<FILE>

    struct Failure: Error {
        let message: String
    }

    /// - Parameter folder: The folder of the pipes `in` and `out` of the running peer.
    init(folder: String) throws {
        guard let input = fopen(folder + "/in", "w"), let output = fopen(folder + "/out", "r") else {
            throw Failure(message: "no peer in \(folder)")
        }
        (self.input, self.output) = (input, output)
    }

    deinit {
        fclose(input)
        fclose(output)
    }

    func read(_ ids: [EntityID<Dish>]) throws -> Timed { try run("read", ids.map { "\($0.rawValue)" }) }

    func read(preparedIn minutes: [Int]) throws -> Timed { try run("query", minutes.map { "\($0)" }) }

    func rate(_ ids: [EntityID<Dish>]) throws -> Timed { try run("rate", ids.map { "\($0.rawValue)" }) }

    func create(_ dishes: [Dish]) throws -> Timed {
        try run(
            "create",
            dishes.map { dish in
                let numbers = [
                    dish.difficulty, dish.rating, dish.preparationMinutes, dish.cookingMinutes,
                    dish.isCompleted ? 1 : 0, Int(dish.createdAt.microseconds),
                ]
                let texts = ["\(dish.id.rawValue)", dish.name, dish.summary ?? "", dish.author ?? ""]
                return (texts + numbers.map { $0.map { "\($0)" } ?? "" }).joined(separator: "\t")
            })
    }

    func read(_ ids: [EntityID<Feast>]) throws -> Timed { try run("feasts", ids.map { "\($0.rawValue)" }) }

    private func run(_ command: String, _ values: [String]) throws -> Timed {
        fputs(([command] + values).joined(separator: "\u{1F}") + "\n", input)
        fflush(input)
        var line = [CChar](repeating: 0, count: 100)
        guard fgets(&line, Int32(line.count), output) != nil else { throw Failure(message: "\(command) failed") }
        let numbers = line.prefix { $0 > 0 }.map { UInt8($0) }.split { $0 <= 32 }.compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard numbers.count == 3 else { throw Failure(message: "\(command) failed") }
        return Timed(duration: .microseconds(numbers[0]), sum: Sum(count: numbers[1], checksum: numbers[2]))
    }
}
#endif
