#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension QueryLaws {
    static let optionals: [Law] = [
        Law(.queries, "A missing value equals nil, and no other value") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("== nil", #Predicate { $0.pages == nil }, in: shop) { $0.pages == nil }
            try await trial.expectFound("!= nil", #Predicate { $0.subtitle != nil }, in: shop) { $0.subtitle != nil }
            try await trial.expectFound("== ''", #Predicate { $0.subtitle == "" }, in: shop) { $0.subtitle == "" }
            try await trial.expectFound("!= 'a'", #Predicate { $0.subtitle != "a" }, in: shop) { $0.subtitle != "a" }
            let (missing, zero): (Int?, Int?) = (nil, 0)
            try await trial.expectFound("== captured nil", #Predicate { $0.pages == missing }, in: shop) {
                $0.pages == missing
            }
            try await trial.expectFound("!= captured 0", #Predicate { $0.pages != zero }, in: shop) {
                $0.pages != zero
            }
        }.tests("condition.2", "condition.3"),
        Law(.queries, "?? replaces a missing value") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("a number", #Predicate { ($0.pages ?? 50) == 50 }, in: shop) {
                ($0.pages ?? 50) == 50
            }
            try await trial.expectFound("a text", #Predicate { ($0.subtitle ?? $0.title) == $0.title }, in: shop) {
                ($0.subtitle ?? $0.title) == $0.title
            }
        }.tests("operand.7"),
        Law(.queries, "Optional chaining of nil is nil") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("== true", #Predicate { $0.subtitle?.contains("a") == true }, in: shop) {
                $0.subtitle?.hasBytes(of: "a") == true
            }
            try await trial.expectFound("?? true", #Predicate { $0.subtitle?.isEmpty ?? true }, in: shop) {
                $0.subtitle?.isEmpty ?? true
            }
            try await trial.expectFound("!= false", #Predicate { $0.subtitle?.contains("a") != false }, in: shop) {
                $0.subtitle?.hasBytes(of: "a") != false
            }
        }.tests("operand.7", "query.1"),
        Law(.queries, "Two columns can be compared") { trial in
            let shop = try await trial.bookshop()
            try await trial.expectFound("==", #Predicate { ($0.subtitle ?? "") == $0.title }, in: shop) {
                ($0.subtitle ?? "") == $0.title
            }
            try await trial.expectFound("!=", #Predicate { ($0.sequel ?? $0.id) != $0.id }, in: shop) {
                ($0.sequel ?? $0.id) != $0.id
            }
        }.tests("comparison.1", "comparison.2", "condition.9"),
        Law(.queries, "A range contains the values within its bounds, and no missing ones") { trial in
            let shop = try await trial.bookshop()
            let (half, closed) = (0..<100, -1...100)
            try await trial.expectFound("half open", #Predicate { half.contains($0.pages ?? -1) }, in: shop) {
                half.contains($0.pages ?? -1)
            }
            try await trial.expectFound("closed", #Predicate { closed.contains($0.pages ?? -2) }, in: shop) {
                closed.contains($0.pages ?? -2)
            }
            let instants = Timestamp(microseconds: -1_000_000)...Timestamp(microseconds: 1_000_000)
            try await trial.expectFound("instants", #Predicate { instants.contains($0.printed) }, in: shop) {
                instants.contains($0.printed)
            }
        }.tests("comparison.3", "comparison.4", "comparison.6", "condition.6"),
    ]
}
