/// Both sides of a work, in medians of passes that took turns.
struct Comparison: Sendable {
    let work: Work
    /// Microseconds for each operation.
    let floor: Double
    let kit: Double

    var ratio: Double { kit / floor }
    var isMissed: Bool { work.target.map { ratio > $0 } ?? false }

    struct Different: Error {
        let work: String
        let floor: Int
        let kit: Int
    }

    /// Runs one pass of each side unmeasured, then the others in turns, so that both meet the same machine.
    static func run(_ work: Work, passes: Int) async throws -> Comparison {
        var (floor, kit) = ([Double](), [Double]())
        for number in 0...passes {
            let below = try await work.floor(number)
            let above = try await work.kit(number)
            guard below.checksum == above.checksum else {
                throw Different(work: work.name, floor: below.checksum, kit: above.checksum)
            }
            guard number > 0 else { continue }
            floor.append(below.duration.microseconds / Double(work.operations))
            kit.append(above.duration.microseconds / Double(work.operations))
        }
        return Comparison(work: work, floor: floor.sorted()[passes / 2], kit: kit.sorted()[passes / 2])
    }
}

extension Duration {
    var microseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12 }
}
