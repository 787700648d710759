import CookbookDomain
import LarderDomain
import Testing

/// The field that an initializer rejects.
func refusedField(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let field as InvalidField {
        return field.field
    } catch {
        return "\(error)"
    }
}

/// An id made of a number.
func id<E>(_ number: UInt64) -> EntityID<E> { EntityID(RawID(high: 0, low: number)) }

struct RecipeTests {
    private func recipe(
        name: String = "Soup", difficulty: Int = 3, rating: Int = 0, preparation: Int? = nil, cooking: Int? = nil,
        source: String? = nil, steps: [Step] = [], ingredients: [Ingredient] = [], tags: [EntityID<Tag>] = []
    ) throws -> Recipe {
        try Recipe(
            id: id(1), name: name, difficulty: difficulty, rating: rating, preparationMinutes: preparation,
            cookingMinutes: cooking, sourceIdentifier: source, createdAt: Timestamp(microseconds: 0), steps: steps,
            ingredients: ingredients, tags: tags)
    }

    @Test(arguments: ["", " \n", String(repeating: "x", count: 201), "a\u{0}b"])
    func `a name that is blank, too long or has U+0000 is refused`(name: String) {
        #expect(refusedField { _ = try recipe(name: name) } == "name")
    }

    @Test func `a name has at most 200 code points, so that a response keeps the stated maximum`() throws {
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 29)
        #expect(refusedField { _ = try recipe(name: families) } == "name")
        // An earlier version accepted 200 grapheme clusters.
        let stored = try Recipe(id: id(1), name: families, createdAt: Things.epoch, limits: .stored)
        #expect(stored.name == families)
        #expect(refusedField { _ = try recipe(name: "a" + String(repeating: "\u{301}", count: 31)) } == "name")
    }

    @Test func `texts are in normalization form C`() throws {
        let name = try recipe(name: "Cafe\u{301}").name
        #expect(name.utf8.elementsEqual("Caf\u{E9}".utf8))
    }

    @Test func `limits count characters, not bytes`() throws {
        let name = String(repeating: "é", count: 200)
        #expect(try recipe(name: name).name == name)
    }

    @Test func `numbers must be in range`() {
        #expect(refusedField { _ = try recipe(difficulty: 0) } == "difficulty")
        #expect(refusedField { _ = try recipe(difficulty: 6) } == "difficulty")
        #expect(refusedField { _ = try recipe(rating: -1) } == "rating")
        #expect(refusedField { _ = try recipe(rating: 6) } == "rating")
        #expect(refusedField { _ = try recipe(preparation: -1) } == "preparationMinutes")
        #expect(refusedField { _ = try recipe(cooking: .max) } == "cookingMinutes")
        #expect(refusedField { _ = try recipe(source: " ") } == "sourceIdentifier")
    }

    @Test func `no list may have duplicates`() throws {
        let step = try Step(id: id(2), text: "Stir")
        let salt = try Ingredient(id: id(3), text: "Salt")
        #expect(refusedField { _ = try recipe(steps: [step, step]) } == "steps")
        #expect(refusedField { _ = try recipe(ingredients: [salt, salt]) } == "ingredients")
        #expect(refusedField { _ = try recipe(tags: [id(4), id(4)]) } == "tags")
    }

    @Test func `a new rating is checked and changes nothing else`() throws {
        let rated = try recipe().rated(5)
        #expect(rated.rating == 5)
        #expect(try rated.rated(0) == recipe())
        #expect(refusedField { _ = try rated.rated(6) } == "rating")
    }

    @Test func `the total time is the sum of the known parts`() throws {
        #expect(try recipe().totalMinutes == nil)
        #expect(try recipe(preparation: 10).totalMinutes == 10)
        #expect(try recipe(preparation: 10, cooking: 20).totalMinutes == 30)
    }

    @Test func `a tag replaces another, once`() throws {
        let recipe = try recipe(tags: [id(1), id(2), id(3)])
        #expect(recipe.replacing(id(2), with: id(9)).tags == [id(1), id(9), id(3)])
        #expect(recipe.replacing(id(2), with: id(3)).tags == [id(1), id(3)])
        #expect(recipe.replacing(id(8), with: id(9)) == recipe)
        #expect(recipe.replacing(id(2), with: id(2)) == recipe)
    }

    @Test func `a recipe without a source is identified by its id`() throws {
        let recipe = try recipe()
        #expect(recipe.outsideIdentifier == "urn:uuid:00000000-0000-0000-0000-000000000001")
        #expect(Recipe.id(inOutsideIdentifier: recipe.outsideIdentifier) == recipe.id)
        #expect(Recipe.id(inOutsideIdentifier: "soup") == nil)
        #expect(try self.recipe(source: "soup").outsideIdentifier == "soup")
    }
}
