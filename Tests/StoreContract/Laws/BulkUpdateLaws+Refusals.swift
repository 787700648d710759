internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension BulkUpdateLaws {
    static let refusals: [Law] = [
        law(.lifecycle, "An update by query refuses values and sums that are not valid, and changes nothing") { trial in
            let counters = [0, 500, Counter.greatest].map { Counter(trial.id(), $0) }
            try await trial.manager.create(contentsOf: counters)
            for (amount, culprit) in [(1, 2), (-1, 0), (Int.max, 0), (Int.min, 0)] {
                let field = try await invalidField(of: "an addition of \(amount)") {
                    try await trial.manager.update(matching: Query<Counter>()) { $0.add(\.count, amount) }
                }
                try expect("the field", field.field, is: "count")
                if [1, -1].contains(amount) { try expect("the id", field.id, is: counters[culprit].id.rawValue) }
            }
            for value in [-1, Counter.greatest + 1] {
                _ = try await invalidField(of: "the value \(value)") {
                    try await trial.manager.update(matching: Query<Counter>()) { $0.set(\.count, to: value) }
                }
            }
            for counter in counters { try await trial.expectStored(counter, version: 1) }
            let small = Query<Counter>(#Predicate { $0.count < 1_000 })
            try expect(
                "the number of others", try await trial.manager.update(matching: small) { $0.add(\.count, 500) }, is: 2)
            let book = try await trial.books(1)[0]
            for days in [-800_000, 3_000_000, Int.min, Int.max] {
                _ = try await invalidField(of: "a day \(days) days later") {
                    try await trial.manager.update(matching: Query<Book>()) { $0.add(\.published, days: days) }
                }
            }
            let sum = try await invalidField(of: "a sum next to another value") {
                try await trial.manager.update(matching: Query<Book>()) {
                    $0.set(\.subtitle, to: "new")
                    $0.add(\.pages, -1)
                }
            }
            try expect("the field of the sum", sum.field, is: "pages")
            let digits = try await invalidField(of: "a third digit after the point") {
                try await trial.manager.update(matching: Query<Parcel>()) {
                    $0.add(\.price, ExactDecimal(units: 1, scale: 3))
                }
            }
            try expect("the field of the decimal", digits.field, is: "price")
            try await trial.expectStored(book, version: 1)
        }.tests("bulk.11", "bulk.12"),
        law(.deleteRules, "An update by query sets references only to stored entities") { trial in
            let books = try await trial.books(2)
            let author = Author(trial.id(), "Ada")
            let error = try await dangling(of: "a missing author") {
                try await trial.manager.update(matching: Query<Book>()) { $0.set(\.author, to: author.id) }
            }
            let expected = Dangling(entity: "book", column: "author_id", id: author.id.rawValue)
            try expect("the error", error, is: expected)
            let next = try await dangling(of: "a missing author, next to another value") {
                try await trial.manager.update(matching: Query<Book>()) {
                    $0.set(\.subtitle, to: "new")
                    $0.set(\.author, to: author.id)
                }
            }
            try expect("the error", next, is: expected)
            for book in books { try await trial.expectStored(book, version: 1) }
            try await trial.manager.create(author)
            try await trial.manager.update(matching: Query<Book>()) { $0.set(\.author, to: author.id) }
            let refusal = try await refusal(of: "a deletion of the author") {
                try await trial.manager.delete(author.id)
            }
            try expect("the referring entity", refusal.entity, is: "book")
        }.tests("bulk.5", "bulk.12"),
        law(.lifecycle, "An update by query names the property that is not settable") { trial in
            try await trial.books(1)
            try await expectUnsupported("an update of a title") {
                try await trial.manager.update(matching: Query<Book>()) { $0.set(\.title, to: "") }
            }
            try await expectUnsupported("an update of an owned reference") {
                try await trial.manager.update(matching: Query<Book>()) { $0.set(\.cover, to: nil) }
            }
            try await expectUnsupported("an update of a folded text") {
                try await trial.manager.update(matching: Query<Venue>()) { $0.set(\.name, to: "") }
            }
            try await expectUnsupported("an update of a list") {
                try await trial.manager.update(matching: Query<Book>()) { $0.set(\.genres, to: []) }
            }
            for query in [
                Query<Book>(limit: 1), Query(sort: [Sort(\.title)]), Query(includesTotal: true),
                Query(after: Cursor(rawValue: "")), Query(before: Cursor(rawValue: "")),
            ] {
                try await expectUnsupported("an update of a page") {
                    try await trial.manager.update(matching: query) { $0.set(\.inPrint, to: false) }
                }
            }
        }.tests("bulk.7", "bulk.10"),
        law(.transactions, "An update by query is refused in a transaction, which it makes run again") { trial in
            let counters = (0..<3).map { _ in Counter(trial.id()) }
            try await trial.manager.create(contentsOf: counters)
            var runs = 0
            try await trial.manager.transaction { manager in
                runs += 1
                try await expectUnsupported("an update by query") {
                    try await manager.update(matching: Query<Counter>()) { $0.add(\.count, 1) }
                }
                try await expectOutside("an update by query of the outer manager") {
                    try await trial.manager.update(matching: Query<Counter>()) { $0.add(\.count, 1) }
                }
                var counter = try await manager.require(counters[0].id).entity
                if runs == 1 {
                    let task = Task.detached {
                        try await trial.manager.update(matching: Query<Counter>()) { $0.add(\.count, 1) }
                    }
                    try expect("the number of changed counters", try await task.value, is: 3)
                }
                counter.count += 10
                try await manager.update(counter)
            }
            try expect("the number of runs", runs, is: 2)
            try await trial.expectStored(Counter(counters[0].id, 11), version: 3)
        }.tests("bulk.8", "bulk.3"),
    ]
}
