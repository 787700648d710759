#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

enum QueryLaws {
    static let all: [Law] = [
        Law(.queries, "A query without a predicate finds all entities") { trial in
            let shop = try await trial.bookshop()
            let page = try await trial.manager.read(Query<Book>(includesTotal: true))
            try expect("the result", page.entities, is: shop.books)
            try expect("the total", page.total, is: shop.books.count)
        }.tests("condition.20", "query.1"),
        Law(.queries, "Texts are compared by their bytes") { trial in
            let shop = try await trial.bookshop()
            let titles = ["Bread the", "", "éclair", "Éclair Zopf", "e\u{301}clair of", "\u{FFFF}"]
            for title in titles {
                try await trial.expectFound("==", #Predicate { $0.title == title }, in: shop) { $0.title == title }
                try await trial.expectFound("!=", #Predicate { $0.title != title }, in: shop) { $0.title != title }
                let composed = title.canonicallyComposed
                try await trial.expectFound("<", #Predicate { $0.title < title }, in: shop) {
                    $0.title.isBelow(composed)
                }
                try await trial.expectFound(">=", #Predicate { $0.title >= title }, in: shop) {
                    !$0.title.isBelow(composed)
                }
            }
        }.tests("comparison.1", "comparison.2", "comparison.3", "comparison.6", "condition.8"),
        Law(.queries, "Integers are compared up to their limits") { trial in
            let shop = try await trial.bookshop()
            for limit in [Int.min, -1, 0, 100, .max] {
                try await trial.expectFound("<", #Predicate { ($0.pages ?? 7) < limit }, in: shop) {
                    ($0.pages ?? 7) < limit
                }
                try await trial.expectFound("<=", #Predicate { ($0.pages ?? 7) <= limit }, in: shop) {
                    ($0.pages ?? 7) <= limit
                }
                try await trial.expectFound(">", #Predicate { ($0.pages ?? 7) > limit }, in: shop) {
                    ($0.pages ?? 7) > limit
                }
                try await trial.expectFound(">=", #Predicate { ($0.pages ?? 7) >= limit }, in: shop) {
                    ($0.pages ?? 7) >= limit
                }
                try await trial.expectFound("==", #Predicate { $0.pages == limit }, in: shop) { $0.pages == limit }
            }
        }.tests("comparison.1", "comparison.3", "comparison.4", "comparison.5", "comparison.6"),
        Law(.queries, "Numbers are compared exactly") { trial in
            let shop = try await trial.bookshop()
            for limit in [-0.5, -0.0, 0.1, 0.25.nextUp, 1e9, .greatestFiniteMagnitude] {
                try await trial.expectFound("<", #Predicate { ($0.price ?? 1) < limit }, in: shop) {
                    ($0.price ?? 1) < limit
                }
                try await trial.expectFound(">=", #Predicate { ($0.price ?? 1) >= limit }, in: shop) {
                    ($0.price ?? 1) >= limit
                }
                try await trial.expectFound("==", #Predicate { $0.price == limit }, in: shop) { $0.price == limit }
            }
        }.tests("comparison.1", "comparison.3", "comparison.6", "condition.7"),
        Law(.queries, "Instants and days are compared chronologically") { trial in
            let shop = try await trial.bookshop()
            let instant = Timestamp(microseconds: -1_000_000)
            try await trial.expectFound("before", #Predicate { $0.printed < instant }, in: shop) {
                $0.printed < instant
            }
            try await trial.expectFound("since", #Predicate { $0.printed >= instant }, in: shop) {
                $0.printed >= instant
            }
            let day = try trial.day()
            let leapDay = CalendarDay(year: 2024, month: 2, day: 29)
            try await trial.expectFound("on a day", #Predicate { $0.published == leapDay }, in: shop) {
                $0.published == leapDay
            }
            try await trial.expectFound("up to a day", #Predicate { ($0.published ?? day) < day }, in: shop) {
                ($0.published ?? day) < day
            }
        }.tests("comparison.1", "comparison.3", "comparison.6", "condition.7"),
        Law(.queries, "A boolean is a predicate, alone and negated") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("in print", #Predicate { $0.inPrint }, in: shop) { $0.inPrint }
            try await trial.expectFound("out of print", #Predicate { !$0.inPrint }, in: shop) { !$0.inPrint }
            try await trial.expectFound("== false", #Predicate { $0.inPrint == false }, in: shop) { !$0.inPrint }
            try await trial.expectFound("true", #Predicate { _ in true }, in: shop) { _ in true }
            try await trial.expectFound("false", #Predicate { _ in false }, in: shop) { _ in false }
        }.tests("condition.1", "condition.20"),
        Law(.queries, "And, or and not combine as in Swift") { trial in
            let shop = try await trial.bookshop()
            let title = "Zopf"
            try await trial.expectFound(
                "and", #Predicate { $0.inPrint && $0.title > title }, in: shop
            ) { $0.inPrint && title.isBelow($0.title) }
            try await trial.expectFound("or", #Predicate { $0.pages == 12 || $0.subtitle == "A" }, in: shop) {
                $0.pages == 12 || $0.subtitle == "A"
            }
            try await trial.expectFound(
                "not", #Predicate { !($0.inPrint && $0.title > title) && !($0.inPrint || $0.title == title) }, in: shop
            ) { !($0.inPrint && title.isBelow($0.title)) && !($0.inPrint || $0.title == title) }
        }.tests("condition.1", "condition.17", "condition.19"),
        Law(.queries, "A query with several predicates finds the entities that satisfy all of them") { trial in
            let shop = try await trial.bookshop()
            let query = Query<Book>(#Predicate { $0.inPrint }).and(#Predicate { $0.pages != 12 })
            let expected = shop.books.filter { $0.inPrint && $0.pages != 12 && $0.subtitle == nil }
            let found = try await trial.manager.read(query.and(#Predicate { $0.subtitle == nil }))
            try expect("the result", found.entities, is: expected)
        }.tests("condition.17", "query.1"),
        Law(.queries, "Ids can be compared and found") { trial in
            let shop = try await trial.bookshop()
            let id = shop.books[40].id
            try await trial.expectFound("the id", #Predicate { $0.id == id }, in: shop) { $0.id == id }
            try await trial.expectFound("other ids", #Predicate { $0.id != id }, in: shop) { $0.id != id }
            let author = shop.authors[1].id
            try await trial.expectFound("an author's", #Predicate { $0.author == author }, in: shop) {
                $0.author == author
            }
        }.tests("comparison.1", "comparison.2", "operand.1", "operand.2"),
    ]
}
