import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W17 to W21: a condition on other entities, an update by query, a stream, saves by a unique key, and a deletion by query, on
/// loans and members.
struct SetWorks {
    static let name = "W17, W18, W19, W20, W21"

    private let loans: Int
    private let manager: StoreManager
    private let floor: FloorLoans

    static func run(_ count: Int, passes: Int, in folder: URL) async throws {
        let mappers = try MapperSet([MemberMapper.self, LoanMapper.self])
        let paths = ["larder", "floor"].map { folder.appending(path: "loans-\($0).sqlite").path }
        let store = try await SQLiteStore.open(.init(.file(paths[0]), durability: .normal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        try await fill(manager, count)
        await store.close()
        try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
        let opened = try await SQLiteStore.open(.init(.file(paths[0]), durability: .normal), schemas: mappers.schemas)
        let works = SetWorks(
            loans: count, manager: StoreManager(opened, mappers: mappers), floor: try FloorLoans(paths[1]))
        print()
        Report.row("work on sets", ["C API µs", "Larder: ratio", "target"], width: Report.width)
        try await works.run(passes)
        await opened.close()
    }

    /// Creates loans, and a tenth of their number of members.
    static func fill(_ manager: StoreManager, _ count: Int) async throws {
        let members = (0..<count / 10).map { Member($0) }
        try await manager.create(contentsOf: members)
        for start in stride(from: 0, to: count, by: 5_000) {
            try await manager.create(
                contentsOf: (start..<min(start + 5_000, count)).compactMap { Loan($0, members[$0 % members.count]) })
        }
    }

    private func run(_ passes: Int) async throws {
        let blocked = Query<Member>(#Predicate { $0.isBlocked })
        try await Self.compare("W17 loans of blocked members, each", loans / 100, 1.3, passes) { _ in
            try floor.loansOfBlockedMembers().sum(\.sum)
        } larder: { _ in
            try await manager.read(Query<Loan>(related: [.to(\.member, blocked)])).items.sum { $0.entity.sum }
        }
        try await Self.compare("W18 update of all loans by query, each", loans, 3, passes) { _ in
            Sum(count: try floor.addWeek())
        } larder: { _ in
            Sum(count: try await manager.update(matching: Query<Loan>()) { $0.add(\.due, days: 7) })
        }
        try await Self.compare("W19 fetch of all loans, each", loans, nil, passes) { _ in
            try floor.loans().sum(\.sum)
        } larder: { _ in
            try await manager.read(Query<Loan>()).items.sum { $0.entity.sum }
        }
        try await Self.compare("W19 stream of all loans, to the fetch", loans, 1.3, passes) { _ in
            try await manager.read(Query<Loan>()).items.sum { $0.entity.sum }
        } larder: { _ in
            var sum = Sum()
            for try await loan in manager.stream(Query<Loan>()) { sum += loan.entity.sum }
            return sum
        }
        let changed = max(1, loans / 50)
        let save = { (pass: Int) in
            var sum = Sum()
            for number in 0..<changed {
                let member = Member(number, id: 9, named: "Member in pass \(pass)")
                if try await manager.save(member, by: \.email).outcome == .updated { sum.count += 1 }
            }
            return sum
        }
        try await Self.compare("W20 save by a unique key, own commit", changed, nil, passes) { pass in
            for number in 0..<changed { try floor.save(Member(number, named: "Member in pass \(pass)")) }
            return Sum(count: changed)
        } larder: { pass in
            try await save(pass)
        }
        try await Self.compare("W20 save by a unique key, to a change by id", changed, 1.3, passes) { pass in
            for number in 0..<changed { _ = try await manager.change(Member(number).id) { $0.name = "Change \(pass)" } }
            return Sum(count: changed)
        } larder: { pass in
            try await save(pass)
        }
        // Each pass deletes others.
        let removed = loans / (2 * passes + 2)
        try await Self.compare("W21 deletion of loans by query, each", removed, 3, passes) { _ in
            try floor.remove(removed)
            return Sum(count: removed)
        } larder: { _ in
            Sum(count: try await manager.delete(matching: Query<Loan>(limit: removed)))
        }
    }

    /// Prints the ratio of times of the same work.
    static func compare(
        _ name: String, _ operations: Int, _ target: Double?, _ passes: Int,
        floor: (_ pass: Int) async throws -> Sum, larder: (_ pass: Int) async throws -> Sum
    ) async throws {
        var (below, ratios) = ([Double](), [Double]())
        // The first pass fills caches.
        for pass in 0...passes {
            let least = try await Timed.measure { try await floor(pass) }
            let above = try await Timed.measure { try await larder(pass) }
            guard least.sum == above.sum else {
                throw FloorError(code: 0, message: "\(name): \(least.sum) and \(above.sum) differ")
            }
            if pass == 0 { continue }
            below.append(least.duration.microseconds / Double(operations))
            ratios.append(above.duration / least.duration)
        }
        Report.print(name, Spread(below).median, [Spread(ratios)], target: target)
    }
}
