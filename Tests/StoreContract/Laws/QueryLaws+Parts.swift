#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

extension QueryLaws {
    static let parts: [Law] = [
        Law(.queries, "Parts of texts are compared byte for byte, without special characters") { trial in
            let shop = try await trial.bookshop()
            for part in [
                "", "read", "Bread", "É", "e", "e\u{301}", "%", "_", "🥐", "日", " ", "'", "*", "[", "\\", "\\%",
            ] {
                let composed = part.canonicallyComposed
                try await trial.expectFound("contains", #Predicate { $0.title.contains(part) }, in: shop) {
                    $0.title.hasBytes(of: composed)
                }
                try await trial.expectFound("starts", #Predicate { $0.title.starts(with: part) }, in: shop) {
                    $0.title.utf8.starts(with: composed.utf8)
                }
                try await trial.expectFound(
                    "contains, perhaps missing", #Predicate { ($0.subtitle ?? "%").contains(part) }, in: shop
                ) { ($0.subtitle ?? "%").hasBytes(of: composed) }
            }
        }.tests("condition.8", "condition.12", "condition.13", "condition.14"),
        Law(.queries, "A captured collection contains a value") { trial in
            let shop = try await trial.bookshop()
            let titles = ["Bread the", "Zopf Zopf", "éclair of", "none of these"]
            try await trial.expectFound("texts", #Predicate { titles.contains($0.title) }, in: shop) {
                titles.contains($0.title)
            }
            let pages: [Int?] = [nil, 12, .max]
            try await trial.expectFound("numbers and nil", #Predicate { pages.contains($0.pages) }, in: shop) {
                pages.contains($0.pages)
            }
            let nothing: Set<Int> = []
            try await trial.expectFound("nothing", #Predicate { nothing.contains($0.pages ?? 0) }, in: shop) { _ in
                false
            }
            let ids = shop.books.prefix(40).map(\.id)
            try await trial.expectFound("ids", #Predicate { ids.contains($0.id) }, in: shop) { ids.contains($0.id) }
        }.tests("condition.10", "condition.11"),
        Law(.queries, "A captured collection may have thousands of values") { trial in
            let shop = try await trial.bookshop()
            let many = Array(0...40_000)
            try await trial.expectFound("thousands", #Predicate { many.contains($0.pages ?? -1) }, in: shop) {
                (0...40_000).contains($0.pages ?? -1)
            }
        }.tests("condition.10"),
        Law(.queries, "A relationship contains an id, is empty or has a length") { trial in
            let shop = try await trial.bookshop()
            for genre in shop.genres.map(\.id) {
                try await trial.expectFound("contains", #Predicate { $0.genres.contains(genre) }, in: shop) {
                    $0.genres.contains(genre)
                }
            }
            try await trial.expectFound("is empty", #Predicate { $0.genres.isEmpty }, in: shop) { $0.genres.isEmpty }
            try await trial.expectFound("has a length", #Predicate { $0.genres.count >= 2 }, in: shop) {
                $0.genres.count >= 2
            }
            try await trial.expectFound("owns so many", #Predicate { $0.chapters.count == 3 }, in: shop) {
                $0.chapters.count == 3
            }
        }.tests("condition.15", "operand.3", "operand.4"),
        Law(.queries, "A relationship contains any of some ids, also of thousands") { trial in
            let shop = try await trial.bookshop()
            let some = [shop.genres[0].id, shop.genres[3].id]
            let thousands = trial.ids(3000, Genre.self) + [shop.genres[1].id]
            for ids in [some, thousands, []] {
                try await trial.expectFound("any", #Predicate { $0.genres.contains { ids.contains($0) } }, in: shop) {
                    !Set($0.genres).isDisjoint(with: ids)
                }
            }
        }.tests("condition.15"),
        Law(.queries, "Some or all owned objects satisfy a test") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound(
                "some", #Predicate { $0.chapters.contains { $0.minutes == 5 && $0.title != "of" } }, in: shop
            ) { $0.chapters.contains { $0.minutes == 5 && $0.title != "of" } }
            try await trial.expectFound(
                "all", #Predicate { $0.chapters.allSatisfy { ($0.minutes ?? 0) < 30 } }, in: shop
            ) { $0.chapters.allSatisfy { ($0.minutes ?? 0) < 30 } }
        }.tests("condition.16"),
        Law(.queries, "Arithmetic follows Swift's") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("remainder", #Predicate { ($0.pages ?? 0) % 5 == -2 }, in: shop) {
                ($0.pages ?? 0) % 5 == -2
            }
            try await trial.expectFound("quotient", #Predicate { ($0.pages ?? 0) / 4 == -1 }, in: shop) {
                ($0.pages ?? 0) / 4 == -1
            }
            try await trial.expectFound("product", #Predicate { ($0.price ?? 0) * 2 == 0.5 }, in: shop) {
                ($0.price ?? 0) * 2 == 0.5
            }
        }.tests("operand.13", "operand.15", "operand.20"),
        Law(.queries, "A comparison of an integer that overflows, or is divided by zero, is false") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("sum", #Predicate { ($0.pages ?? 0) + 1 > -100 }, in: shop) {
                let (sum, overflow) = ($0.pages ?? 0).addingReportingOverflow(1)
                return !overflow && sum > -100
            }
            try await trial.expectFound("not the sum", #Predicate { !(($0.pages ?? 0) + 1 > -100) }, in: shop) {
                let (sum, overflow) = ($0.pages ?? 0).addingReportingOverflow(1)
                return overflow || sum <= -100
            }
            try await trial.expectFound("product", #Predicate { ($0.pages ?? 0) * 3 != 5 }, in: shop) {
                !($0.pages ?? 0).multipliedReportingOverflow(by: 3).overflow
            }
            try await trial.expectFound("quotient", #Predicate { 100 / ($0.pages ?? 0) <= 100 }, in: shop) {
                ($0.pages ?? 0) != 0
            }
        }.tests("condition.4", "condition.5", "operand.10", "operand.14"),
        Law(.queries, "A query that cannot be answered exactly is refused") { trial in
            let error = try await failure(of: "a query for a derived value") {
                try await trial.manager.read(Query<Book>(#Predicate { $0.shortTitle == "Bread" }))
            }
            guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
        }.tests("error.10", "query.3"),
    ]
}

extension Book {
    /// Computed, and not part of the mapping.
    fileprivate var shortTitle: String { String(title.prefix(5)) }
}
