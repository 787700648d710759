internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Laws of the values of a domain that are stored as those of other types.
enum DomainValueLaws {
    static let all: [Law] = [
        Law(.values, "UUIDs, dates, data, durations, small numbers and decimals are read back") { trial in
            for fill in [fillLeast, fillGreatest, fillUsual] as [(inout Parcel) throws -> Void] {
                var parcel = Parcel(id: trial.id())
                try fill(&parcel)
                try await trial.manager.create(parcel)
                try await trial.expectStored(parcel, version: 1)
                let all = try await trial.manager.read(Query<Parcel>()).items
                try expect("the parcel among all", all.first { $0.id == parcel.id }?.entity, is: parcel)
                let saved = try await trial.manager.save(parcel)
                try expect("the outcome of saving it again", saved.outcome, is: .unchanged)
            }
            let empty = Parcel(id: trial.id())
            try await trial.manager.create(empty)
            try await trial.expectStored(empty, version: 1)
        }.tests("column.1", "column.2"),
        Law(.values, "Dates and durations are rounded to the nearest microsecond") { trial in
            for (nanoseconds, microseconds) in [(499, 0), (501, 1), (1_501, 2), (-499, 0), (-501, -1), (-1_501, -2)] {
                var parcel = Parcel(id: trial.id())
                parcel.transit = .nanoseconds(nanoseconds)
                parcel.sent = Date(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1_000_000_000)
                try await trial.manager.create(parcel)
                let stored = try await trial.manager.require(parcel.id)
                try expect("\(nanoseconds) ns", stored.transit, is: .microseconds(microseconds))
                let interval = (stored.sent.timeIntervalSinceReferenceDate * 1_000_000).rounded()
                try expect("a date of \(nanoseconds) ns", Int(interval), is: microseconds)
            }
        }.tests("column.3"),
        Law(.values, "A value that its column cannot store is refused, naming the field") { trial in
            let refused: [(String, (inout Parcel) throws -> Void)] = [
                ("sent", { $0.sent = Date(timeIntervalSinceReferenceDate: .infinity) }),
                ("sent", { $0.sent = Date(timeIntervalSinceReferenceDate: .nan) }),
                ("sent", { $0.sent = Date(timeIntervalSinceReferenceDate: 1e13) }),
                ("transit", { $0.transit = .seconds(Int64.max) }),
                ("maybe_transit", { $0.maybeTransit = .seconds(1e13) }),
                ("weight", { $0.weight = .nan }), ("maybe_weight", { $0.maybeWeight = .infinity }),
                ("price", { $0.price = try decimal("0.001") }),
                ("maybe_price", { $0.maybePrice = try decimal("-12.345") }),
                ("price", { $0.price = ExactDecimal(units: .max, scale: 1) }),
            ]
            for (field, fill) in refused {
                var parcel = Parcel(id: trial.id())
                try fill(&parcel)
                let broken = parcel
                let found = try await invalidField(of: "storing \(field)") { try await trial.manager.create(broken) }
                try expect("the field", found.field, is: field)
                try await trial.expectAbsent(parcel.id)
            }
            let unreadable: [(String, Value)] = [
                ("state", .text("Sent")), ("maybe_state", .text("stolen")), ("maybe_stamps", .integer(-1)),
                ("maybe_depth", .integer(1 << 31)), ("maybe_weight", .real(0.1)),
            ]
            for (column, value) in unreadable {
                var object = try ParcelMapper.storageObject(from: Parcel(id: trial.id()))
                for index in object.values.indices where ParcelMapper.schema.columns[index].name == column {
                    object.values[index] = value
                }
                try await trial.insert(object)
                let found = try await invalidField(of: "reading \(column)") {
                    try await trial.manager.read(EntityID<Parcel>(object.id))
                }
                try expect("the unreadable field", found.field, is: column)
            }
        }.tests("column.4", "create.5", "invalid.3"),
        Law(.values, "A decimal keeps its number and gets the scale of its column") { trial in
            for (text, stored) in [("1.5", "1.50"), ("-0.050", "-0.05"), ("7", "7.00"), ("12.3400", "12.34")] {
                var parcel = Parcel(id: trial.id())
                (parcel.price, parcel.maybePrice) = (try decimal(text), try decimal(text))
                try await trial.manager.create(parcel)
                let read = try await trial.manager.require(parcel.id)
                try expect(
                    text, "\(read.price) \(read.maybePrice as ExactDecimal?)", is: "\(stored) Optional(\(stored))")
                let saved = try await trial.manager.save(parcel)
                try expect("the outcome of saving \(text) again", saved.outcome, is: .unchanged)
            }
        }.tests("column.5"),
        Law(.uniqueness, "Decimals of different scales are the same value for uniqueness") { trial in
            var one = Parcel(id: trial.id())
            one.maybePrice = try decimal("2.5")
            var other = Parcel(id: trial.id())
            other.maybePrice = try decimal("2.50")
            try await trial.manager.create(one)
            let second = other
            let found = try await duplicate(of: "a decimal that exists") { try await trial.manager.create(second) }
            try expect(
                "the duplicate", found,
                is: Duplicate(entity: "parcel", columns: ["maybe_price"], existing: one.id.rawValue))
        }.tests("column.5"),
        Law(.queries, "A decimal is compared exactly with a finer one") { trial in
            let prices = try ["-1.01", "-1.00", "-0.99", "0", "1.99", "2.00", "2.01"].map(decimal)
            for price in prices { try await trial.createParcel(price) }
            for text in ["-1.005", "-0.9999999", "1.99", "1.995", "2.000000001", "1.999999999", "2.000", "0.001"] {
                let limit = try decimal(text)
                let questions: [(String, Predicate<Parcel>, (ExactDecimal) -> Bool)] = [
                    ("<", #Predicate { $0.price < limit }, { $0 < limit }),
                    ("<=", #Predicate { $0.price <= limit }, { $0 <= limit }),
                    (">", #Predicate { $0.price > limit }, { $0 > limit }),
                    (">=", #Predicate { $0.price >= limit }, { $0 >= limit }),
                    ("==", #Predicate { $0.price == limit }, { $0 == limit }),
                    ("!=", #Predicate { $0.price != limit }, { $0 != limit }),
                    ("> of the right", #Predicate { limit > $0.price }, { $0 < limit }),
                    ("<= of the right", #Predicate { limit <= $0.price }, { $0 >= limit }),
                ]
                for (name, predicate, isFound) in questions {
                    try await trial.expectPrices(predicate, prices.filter(isFound), "\(name) \(text)")
                }
            }
        }.tests("column.6"),
        Law(.queries, "Decimals are found by lists, ranges, sums and products, and sorted by number") { trial in
            let prices = try ["-0.5", "0", "0.05", "0.5", "9.99", "10", "100"].map(decimal)
            for price in prices { try await trial.createParcel(price) }
            let (list, range) = try ([decimal("0.50"), decimal("0.051"), 10], decimal("0.049")...decimal("9.990"))
            let (half, seven) = try (decimal("0.5"), ExactDecimal(7))
            try await trial.expectPrices(#Predicate { list.contains($0.price) }, [half, 10], "a list")
            try await trial.expectPrices(
                #Predicate { range.contains($0.price) }, ["0.05", "0.5", "9.99"].map(decimal), "a range")
            try await trial.expectPrices(#Predicate { $0.price + half == 1 }, [half], "a sum")
            try await trial.expectPrices(
                #Predicate { $0.price - 1 >= 9 }, ["10", "100"].map(decimal), "a difference")
            try await trial.expectPrices(
                #Predicate { $0.price * 3 - half > seven }, ["9.99", "10", "100"].map(decimal), "a product")
            try await trial.expectPrices(#Predicate { ($0.maybePrice ?? half) == half }, prices, "a missing decimal")
            let sorted = try await trial.manager.read(Query<Parcel>(sort: [Sort(\.price, .descending)])).items
            try expect("the order", sorted.map(\.entity.price), is: prices.reversed())
            let counts = try await trial.manager.counts(Query<Parcel>(), by: .value(\.price))
            try expect("the counts", counts, is: Dictionary(uniqueKeysWithValues: prices.map { ($0, 1) }))
        }.tests("column.6", "column.7"),
        Law(.queries, "An operation on decimals that overflows satisfies nothing") { trial in
            for units in [Int64.min, 0, .max] { try await trial.createParcel(ExactDecimal(units: units, scale: 2)) }
            let (least, greatest) = (ExactDecimal(units: .min, scale: 0), ExactDecimal(units: .max, scale: 1))
            let (one, none) = try (ExactDecimal(1), decimal("0.001"))
            try await trial.expectPrices(
                #Predicate { $0.price + one > 0 || $0.price + one <= 0 }, [ExactDecimal(units: .min, scale: 2), 0],
                "a sum")
            try await trial.expectPrices(
                #Predicate { $0.price + one != none }, [ExactDecimal(units: .min, scale: 2), 0], "a finer inequality")
            try await trial.expectPrices(
                #Predicate { $0.price > least && $0.price < greatest },
                [ExactDecimal(units: .min, scale: 2), 0, ExactDecimal(units: .max, scale: 2)],
                "limits beyond the column")
            try await trial.expectPrices(
                #Predicate { $0.price < least || $0.price >= greatest || $0.price == least }, [], "nothing beyond")
        }.tests("column.6", "column.8"),
        Law(.queries, "Queries find and order UUIDs, dates, data, durations, small numbers and enums") { trial in
            var (usual, other) = (Parcel(id: trial.id()), Parcel(id: trial.id()))
            try fillUsual(&usual)
            fillGreatest(&other)
            for parcel in [usual, other] { try await trial.manager.create(parcel) }
            let (code, sent, label, transit) = (usual.code, usual.sent, usual.label, usual.transit)
            let (depth, stamps, weight, state) = (usual.depth, usual.stamps, usual.weight, usual.state)
            let predicates: [Predicate<Parcel>] = [
                #Predicate { $0.code == code && $0.maybeCode == code }, #Predicate { $0.sent <= sent },
                #Predicate { $0.label == label }, #Predicate { $0.transit < transit || $0.transit == transit },
                #Predicate { $0.depth == depth }, #Predicate { $0.stamps <= stamps },
                #Predicate { $0.weight == weight },
                #Predicate { $0.state == state && $0.maybeState != nil },
            ]
            for (number, predicate) in predicates.enumerated() {
                let found = try await trial.manager.read(Query(predicate)).items.map(\.id)
                try expect("predicate \(number + 1)", found, is: [usual.id])
            }
            let orders: [Sort<Parcel>] = [
                Sort(\.sent), Sort(\.transit), Sort(\.depth), Sort(\.stamps), Sort(\.weight), Sort(\.maybeSent),
            ]
            for (number, order) in orders.enumerated() {
                let found = try await trial.manager.read(Query<Parcel>(sort: [order])).items.map(\.id)
                try expect("order \(number + 1)", found, is: [usual.id, other.id])
            }
        }.tests("column.9"),
        Law(.queries, "A product of decimals is compared exactly, and satisfies nothing if it overflows") { trial in
            let rows = [
                ("-949062.67", "94906.267"), ("0.01", "0.001"), ("1.01", "1.001"), ("949062.66", "94906.267"),
                ("949062.67", "94906.267"), ("1000000000.00", "1000000.000"),
            ]
            var products: [(price: ExactDecimal, product: ExactDecimal?)] = []
            for (price, rate) in rows {
                var parcel = Parcel(id: trial.id())
                (parcel.price, parcel.rate) = (try decimal(price), try decimal(rate))
                try await trial.manager.create(parcel)
                let product = try products.count < 5 ? parcel.price * decimal(rate) : nil
                products.append((parcel.price, product))
            }
            for units in products.compactMap(\.product?.units).flatMap({ [$0 - 1, $0, $0 + 1] }) {
                let limit = ExactDecimal(units: units, scale: 5)
                let questions: [(String, Predicate<Parcel>, (ExactDecimal) -> Bool)] = [
                    ("<", #Predicate { $0.price * ($0.rate ?? 0) < limit }, { $0 < limit }),
                    ("==", #Predicate { $0.price * ($0.rate ?? 0) == limit }, { $0 == limit }),
                    ("!=", #Predicate { $0.price * ($0.rate ?? 0) != limit }, { $0 != limit }),
                    (">=", #Predicate { $0.price * ($0.rate ?? 0) >= limit }, { $0 >= limit }),
                ]
                for (name, predicate, isFound) in questions {
                    let expected = products.filter { $0.product.map(isFound) ?? false }.map(\.price)
                    try await trial.expectPrices(predicate, expected, "products \(name) \(limit)")
                }
            }
        }.tests("column.6", "column.8"),
        Law(.queries, "Days of any year are compared, sorted and counted by year, month and day") { trial in
            let days = [
                "0001-01-01", "0999-12-31", "1000-01-01", "1900-02-28", "2000-02-29", "2024-02-28", "2024-02-29",
                "2024-03-01", "2024-11-09", "2024-12-01", "9999-12-31",
            ].compactMap { CalendarDay($0) }
            for day in days.reversed() {
                var specimen = try trial.specimen()
                specimen.day = day
                try await trial.manager.create(specimen)
            }
            for (index, day) in days.enumerated() {
                let range = days[0]...day
                let questions: [(String, Predicate<Specimen>, ArraySlice<CalendarDay>)] = [
                    ("before", #Predicate { $0.day < day }, days[..<index]),
                    ("on or before", #Predicate { $0.day <= day }, days[...index]),
                    ("on", #Predicate { $0.day == day }, [day]),
                    ("since", #Predicate { $0.day >= day }, days[index...]),
                    ("after", #Predicate { $0.day > day }, days[(index + 1)...]),
                    ("up to", #Predicate { range.contains($0.day) }, days[...index]),
                ]
                for (name, predicate, expected) in questions {
                    let found = try await trial.manager.read(Query(predicate, sort: [Sort(\.day)])).entities
                    try expect("the days \(name) \(day)", found.map(\.day), is: Array(expected))
                }
            }
            let counts = try await trial.manager.counts(Query<Specimen>(), by: .value(\.day))
            try expect("the counts", counts, is: Dictionary(uniqueKeysWithValues: days.map { ($0, 1) }))
        }.tests("column.9"),
    ]
}

private func decimal(_ text: String) throws(LawBroken) -> ExactDecimal {
    guard let decimal = ExactDecimal(text) else { throw LawBroken("'\(text)' is not a decimal") }
    return decimal
}

private func fillUsual(_ parcel: inout Parcel) throws(LawBroken) {
    parcel.code = UUID(RawID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))
    parcel.sent = Timestamp(microseconds: 1_764_388_800_123_456).date
    (parcel.label, parcel.transit) = (Data([0, 1, 255]), .milliseconds(-1_500))
    (parcel.depth, parcel.stamps, parcel.weight, parcel.price) = (-7, 7, 0.1, try decimal("19.90"))
    parcel.state = .sent
    fillOptionals(&parcel)
    parcel.rate = try decimal("0.125")
}

private func fillLeast(_ parcel: inout Parcel) {
    parcel.sent = Timestamp(microseconds: -7_500_000_000_000_001).date
    (parcel.transit, parcel.depth, parcel.weight) = (.microseconds(Int64.min), .min, -.greatestFiniteMagnitude)
    parcel.price = ExactDecimal(units: .min, scale: 2)
    fillOptionals(&parcel)
}

private func fillGreatest(_ parcel: inout Parcel) {
    parcel.code = UUID(RawID(high: .max, low: .max))
    parcel.sent = Timestamp(microseconds: 9_400_000_000_000_001).date
    (parcel.label, parcel.transit) = (Data(0...255), .microseconds(Int64.max))
    (parcel.depth, parcel.stamps, parcel.weight) = (.max, .max, .leastNonzeroMagnitude * 3 + .greatestFiniteMagnitude)
    (parcel.price, parcel.state) = (ExactDecimal(units: .max, scale: 2), .lost)
    fillOptionals(&parcel)
}

private func fillOptionals(_ parcel: inout Parcel) {
    (parcel.maybeCode, parcel.maybeSent, parcel.maybeLabel) = (parcel.code, parcel.sent, parcel.label)
    (parcel.maybeTransit, parcel.maybeDepth) = (parcel.transit, parcel.depth)
    (parcel.maybeStamps, parcel.maybeWeight) = (parcel.stamps, parcel.weight)
    (parcel.maybePrice, parcel.maybeState) = (parcel.price, parcel.state)
}

extension Trial {
    fileprivate func createParcel(_ price: ExactDecimal) async throws {
        var parcel = Parcel(id: id())
        parcel.price = price
        try await manager.create(parcel)
    }

    /// Expects the parcels with these prices, in this order.
    fileprivate func expectPrices(
        _ predicate: Predicate<Parcel>, _ prices: [ExactDecimal], _ name: String
    ) async throws {
        let found = try await manager.read(Query(predicate, sort: [Sort(\.price)])).items.map(\.entity.price)
        try expect("the prices of \(name)", found, is: prices)
    }
}
