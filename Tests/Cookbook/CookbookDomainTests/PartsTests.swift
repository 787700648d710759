import CookbookDomain
import LarderDomain
import Testing

struct PartsTests {
    private let digest = String(repeating: "0a", count: 32)
    private let gif = Array("GIF89a".utf8)

    @Test func `a step requires a text and a positive timer`() throws {
        #expect(refusedField { _ = try Step(id: id(1), text: "") } == "text")
        #expect(refusedField { _ = try Step(id: id(1), text: "Wait", timerSeconds: 0) } == "timerSeconds")
        #expect(try Step(id: id(1), text: "Wait", timerSeconds: 1).timerSeconds == 1)
    }

    @Test func `an ingredient's quantity is finite and not negative`() throws {
        #expect(refusedField { _ = try Ingredient(id: id(1), text: "Salt", quantity: -1) } == "quantity")
        #expect(refusedField { _ = try Ingredient(id: id(1), text: "Salt", quantity: .nan) } == "quantity")
        #expect(refusedField { _ = try Ingredient(id: id(1), text: "Salt", unit: "") } == "unit")
        #expect(refusedField { _ = try Ingredient(id: id(1), text: " ") } == "text")
        #expect(try Ingredient(id: id(1), text: "Salt", quantity: 0.5, unit: "tsp").quantity == 0.5)
    }

    @Test func `a renamed tag keeps its id`() throws {
        let tag = try Tag(id: id(1), name: "Crème Brûlée")
        #expect(try tag.renamed("Dessert").id == tag.id)
        #expect(refusedField { _ = try tag.renamed("") } == "name")
    }

    @Test func `leading and trailing blanks of a text are removed`() throws {
        #expect(try Tag(id: id(1), name: " \u{2003}soup\n").name == "soup")
        // But of its length, which the description of the API states for what comes.
        #expect(refusedField { _ = try Tag(id: id(1), name: " " + String(repeating: "x", count: 100)) } == "name")
        let step = try Step(id: id(1), text: "\tStir well ")
        let salt = try Ingredient(id: id(1), text: " Salt", unit: "g ")
        #expect([step.text, salt.text, salt.unit] == ["Stir well", "Salt", "g"])
        let recipe = try Recipe(
            id: id(1), name: " Soup ", summary: " Hot ", author: "Ada ", yield: " 4", sourceIdentifier: " a b ",
            createdAt: Timestamp(microseconds: 0))
        #expect(recipe.name == "Soup" && recipe.summary == "Hot" && recipe.author == "Ada")
        #expect(recipe.yield == "4" && recipe.sourceIdentifier == "a b")
        let german = try #require(LanguageTag(rawValue: "de"))
        let brand = try Brand(id: id(1), name: " Mill ", keywords: [" flour "], language: german)
        #expect([brand.name] + brand.keywords == ["Mill", "flour"])
        #expect(
            refusedField { _ = try Brand(id: id(1), name: "Mill", keywords: ["a", "a "], language: german) }
                == "keywords")
        #expect(
            refusedField { _ = try Brand(id: id(1), name: "Mill", keywords: ["flour\n"], language: german) }
                == "keywords")
        let user = try User(id: id(1), email: "ada@example.org", firstName: " Ada", lastName: "Lee ", role: .cook)
        #expect([user.firstName, user.lastName] == ["Ada", "Lee"])
        #expect(try Cookbook(id: id(1), owner: id(2), name: " Mine ").name == "Mine")
    }

    @Test func `a photo's type is given by its first bytes`() throws {
        #expect(try Photo(id: id(1), mediaType: .gif, digest: digest, bytes: gif).mediaType == .gif)
        #expect(refusedField { _ = try Photo(id: id(1), mediaType: .png, digest: digest, bytes: gif) } == "mediaType")
    }

    @Test func `a photo is not empty, and has limited size`() throws {
        let most = gif + [UInt8](repeating: 0, count: Photo.maximumSize - gif.count)
        #expect(try Photo(id: id(1), mediaType: .gif, digest: digest, bytes: most).bytes.count == 5_242_880)
        #expect(
            refusedField { _ = try Photo(id: id(1), mediaType: .gif, digest: digest, bytes: most + [0]) } == "bytes")
        #expect(refusedField { _ = try Photo(id: id(1), mediaType: .gif, digest: digest, bytes: []) } == "bytes")
    }

    @Test func `a digest is 64 lower-case hexadecimal digits`() {
        for bad in ["", String(digest.dropLast()), digest.uppercased(), String(repeating: "g", count: 64)] {
            #expect(refusedField { _ = try Photo(id: id(1), mediaType: .gif, digest: bad, bytes: gif) } == "digest")
        }
    }

    @Test(arguments: [
        ([0xFF, 0xD8, 0xFF, 0xE0], MediaType.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (Array("GIF87a".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("....ftypavif".utf8), .avif),
    ])
    func `each image type is detected by its first bytes`(bytes: [UInt8], type: MediaType) {
        #expect(MediaType(firstBytesOf: bytes) == type)
    }

    @Test func `other bytes are not an image`() {
        #expect(MediaType(firstBytesOf: []) == nil)
        #expect(MediaType(firstBytesOf: Array("<svg/>".utf8)) == nil)
    }
}
