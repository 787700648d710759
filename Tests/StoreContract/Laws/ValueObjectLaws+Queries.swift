internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ValueObjectLaws {
    static let queries: [Law] = [
        Law(.queries, "A predicate reaches the parts of value objects, nested and optional ones") { trial in
            let venues = try await trial.createVenues()
            let (köln, limit, south) = ("Köln", ExactDecimal(20_000), -33)
            let questions: [(String, Predicate<Venue>, (Venue) -> Bool)] = [
                ("a part", #Predicate { $0.place.city == köln }, { $0.place.city == köln }),
                ("another part", #Predicate { $0.place.street != "" }, { $0.place.street != "" }),
                ("a missing object", #Predicate { $0.branch == nil }, { $0.branch == nil }),
                ("an object", #Predicate { $0.branch != nil }, { $0.branch != nil }),
                ("an object without values", #Predicate { $0.season != nil }, { $0.season != nil }),
                ("a part of an optional one", #Predicate { $0.branch?.city == köln }, { $0.branch?.city == köln }),
                ("its negation", #Predicate { $0.branch?.city != köln }, { $0.branch?.city != köln }),
                ("a missing part", #Predicate { $0.branch?.city == nil }, { $0.branch == nil }),
                ("a nested object", #Predicate { $0.place.position != nil }, { $0.place.position != nil }),
                (
                    "a part of a nested one", #Predicate { $0.place.position?.latitude == south },
                    { $0.place.position?.latitude == -33 }
                ),
                (
                    "a part of a nested optional one", #Predicate { $0.branch?.position?.longitude == 151 },
                    { $0.branch?.position?.longitude == 151 }
                ),
                (
                    "no nested one", #Predicate { $0.branch?.position == nil }, { $0.branch?.position == nil }
                ),
                (
                    "a value instead", #Predicate { ($0.branch?.city ?? köln) == köln },
                    { ($0.branch?.city ?? köln) == köln }
                ),
                (
                    "a condition on an object", #Predicate { $0.branch.flatMap { $0.city == köln } ?? true },
                    { $0.branch.map { $0.city == köln } ?? true }
                ),
                (
                    "another condition on an object", #Predicate { $0.branch.flatMap { $0.city != köln } ?? false },
                    { $0.branch.map { $0.city != köln } ?? false }
                ),
                (
                    "a decimal", #Predicate { ($0.fee?.amount ?? 0) > limit }, { ($0.fee?.amount ?? 0) > limit }
                ),
                (
                    "a part's beginning", #Predicate { $0.place.street.starts(with: "Ri") },
                    { $0.place.street.hasPrefix("Ri") }
                ),
            ]
            for (name, predicate, isFound) in questions {
                let found = try await trial.manager.read(Query(predicate)).entities.map(\.name)
                let expected = venues.filter(isFound).map(\.name)
                try expect("what \(name) finds", found, is: expected)
                try expect("a choice by \(name)", expected.isEmpty || expected.count == venues.count, is: false)
            }
        }.tests("part.7"),
        Law(.queries, "Venues are sorted and counted by parts of value objects, the absent ones first") { trial in
            let venues = try await trial.createVenues()
            let orders: [(String, Sort<Venue>, (Venue) -> String)] = [
                ("a part", Sort(\.place.city), { $0.place.city }),
                ("an optional part", Sort(\.branch, part: \.city), { $0.branch?.city ?? "" }),
                (
                    "a decimal", Sort(\.fee, part: \.amount),
                    { venue in
                        venue.fee.map { String(1_000_000_000 + $0.amount.units) } ?? ""
                    }
                ),
                ("an optional part of an object", Sort(\.season, part: \.last), { $0.season?.last?.description ?? "" }),
            ]
            for (name, sort, key) in orders {
                let found = try await trial.manager.read(Query<Venue>(sort: [sort])).entities.map(\.name)
                let expected = venues.enumerated().sorted { one, other in
                    let keys = (key(one.element), key(other.element))
                    return keys.0 == keys.1 ? one.offset < other.offset : keys.0.isBelow(keys.1)
                }
                try expect("the order by \(name)", found, is: expected.map(\.element.name))
            }
            let descending = Sort<Venue>(\.season, part: \.last, .descending)
            let found = try await trial.manager.read(Query<Venue>(sort: [descending])).entities.map(\.name)
            let present = venues.filter { $0.season?.last != nil } + venues.filter { $0.season?.last == nil }
            try expect("the descending order by an optional part of an object", found, is: present.map(\.name))
            func counts(_ keys: [String?]) -> [String: Int] {
                keys.compactMap(\.self).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            let byCity = try await trial.manager.counts(Query<Venue>(), by: .value(\.place.city))
            try expect("the counts by a part", byCity, is: counts(venues.map(\.place.city)))
            let byBranch = try await trial.manager.counts(Query<Venue>(), by: .value(\.branch, part: \.city))
            try expect("the counts by an optional part", byBranch, is: counts(venues.map { $0.branch?.city }))
        }.tests("part.8"),
        Law(.queries, "A query in a transaction finds changed parts of value objects") { trial in
            var venue = try trial.fullVenue("moving")
            try await trial.manager.create(venue)
            venue.place = try Location(city: "Bonn")
            venue.branch = nil
            let moved = venue
            let new = Query<Venue>(#Predicate { $0.place.city == "Bonn" && $0.branch == nil })
            let old = Query<Venue>(#Predicate { $0.place.city == "Köln" || $0.branch?.city == "Köln" })
            func expectMoved(_ manager: any PersistencyManager) async throws {
                try expect("the new place", try await manager.read(new).entities, is: [moved])
                try expect("the old place", try await manager.read(old).entities, is: [])
            }
            try await trial.manager.transaction { manager in
                try await manager.save(moved)
                try await expectMoved(manager)
            }
            try await expectMoved(trial.manager)
        }.tests("part.7"),
        Law(.queries, "A predicate compares parts of two value objects, also two that are both absent") { trial in
            let venues = try await trial.createVenues()
            let questions: [(String, Predicate<Venue>, (Venue) -> Bool)] = [
                (
                    "equal cities", #Predicate { ($0.branch?.city ?? "") == $0.place.city },
                    { $0.branch?.city == $0.place.city }
                ),
                (
                    "different cities", #Predicate { ($0.branch?.city ?? "") != $0.place.city },
                    { $0.branch?.city != $0.place.city }
                ),
                (
                    "a lesser part", #Predicate { $0.place.street < ($0.branch?.city ?? "") },
                    { $0.place.street.isBelow($0.branch?.city ?? "") }
                ),
                (
                    "equal optional parts", #Predicate { $0.season?.first == $0.season?.last },
                    { $0.season?.first == $0.season?.last }
                ),
                (
                    "different optional parts", #Predicate { $0.season?.first != $0.season?.last },
                    { $0.season?.first != $0.season?.last }
                ),
            ]
            for (name, predicate, isFound) in questions {
                let found = try await trial.manager.read(Query(predicate)).entities.map(\.name)
                let expected = venues.filter(isFound).map(\.name)
                try expect("what \(name) finds", found, is: expected)
                try expect("a choice by \(name)", expected.isEmpty || expected.count == venues.count, is: false)
            }
        }.tests("condition.2", "part.7"),
    ]
}

extension Trial {
    fileprivate func createVenues() async throws -> [Venue] {
        let venues = try venues()
        for venue in venues { try await manager.create(venue) }
        return venues
    }
}
