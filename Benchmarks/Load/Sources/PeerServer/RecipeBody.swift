internal import Hummingbird

/// A recipe as a client sends it.
struct RecipeBody: Decodable, Sendable {
    let id: String?
    let name: String
    let summary: String?
    let author: String?
    let published: String?
    let difficulty: Int?
    let rating: Int?
    let preparationMinutes: Int?
    let cookingMinutes: Int?
    let yield: String?
    let completed: Bool?
    let sourceIdentifier: String?
    let createdAt: String?
    let owner: String?
    let steps: [Step]?
    let ingredients: [Ingredient]?
    let tags: [Tag]?

    struct Step: Decodable, Sendable {
        let id: String?
        let text: String
        let timerSeconds: Int?
    }

    struct Ingredient: Decodable, Sendable {
        let id: String?
        let text: String
        let quantity: Double?
        let unit: String?
        let brand: String?
    }

    struct Tag: Decodable, Sendable {
        let id: String
        let name: String?
    }
}

extension RecipeBody {
    /// - Throws: `HTTPError` with 422, which names the first invalid field.
    func check() throws {
        try Self.check("name", name, atMost: 200)
        try Self.check("summary", summary, atMost: 10_000)
        try Self.check("author", author, atMost: 200)
        try Self.check("published", published, atMost: 10)
        try Self.check("difficulty", difficulty, in: 1...5)
        try Self.check("rating", rating, in: 0...5)
        try Self.check("preparationMinutes", preparationMinutes, in: 0...525_600)
        try Self.check("cookingMinutes", cookingMinutes, in: 0...525_600)
        try Self.check("yield", yield, atMost: 200)
        try Self.check("sourceIdentifier", sourceIdentifier, atMost: 2_000)
        for step in steps ?? [] {
            try Self.check("steps", step.text, atMost: 10_000)
            try Self.check("steps", step.timerSeconds, in: 1...2_592_000)
        }
        for ingredient in ingredients ?? [] {
            try Self.check("ingredients", ingredient.text, atMost: 1_000)
            try Self.check("ingredients", ingredient.unit, atMost: 50)
            guard (ingredient.quantity ?? 0) >= 0 else { throw Self.invalid("ingredients") }
        }
        let ids = (tags ?? []).map(\.id)
        guard Set(ids).count == ids.count else { throw Self.invalid("tags") }
    }

    static func check(_ name: String, _ number: Int?, in range: ClosedRange<Int>) throws {
        if let number, !range.contains(number) { throw invalid(name) }
    }

    /// Bytes are counted first, because counting characters takes longer.
    private static func check(_ name: String, _ text: String?, atMost limit: Int) throws {
        guard let text else { return }
        let isTooLong = text.utf8.count > limit && text.count > limit
        guard !isTooLong, !text.allSatisfy(\.isWhitespace) else { throw invalid(name) }
    }

    private static func invalid(_ name: String) -> HTTPError {
        HTTPError(.unprocessableContent, message: "\(name) is invalid")
    }
}
