import CookbookData
import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

struct PhotoTests {
    private func photo(_ fixture: CookbookFixture) throws -> Photo {
        let digest = String(repeating: "0", count: 64)
        return try Photo(id: fixture.ids.next(), mediaType: .gif, digest: digest, bytes: Array("GIF89a".utf8))
    }

    private func recipe(_ fixture: CookbookFixture, photo: Photo, stepPhoto: Photo) throws -> Recipe {
        let step = try Step(id: fixture.ids.next(), text: "Look", photo: stepPhoto.id)
        let epoch = Timestamp(microseconds: 0)
        return try Recipe(id: fixture.ids.next(), name: "Picture", photo: photo.id, createdAt: epoch, steps: [step])
    }

    @Test func `photos go with the recipe and the step that own them`() async throws {
        let fixture = try CookbookFixture()
        let (first, second) = (try photo(fixture), try photo(fixture))
        let recipe = try recipe(fixture, photo: first, stepPhoto: second)
        for photo in [first, second] { try await fixture.repositories.photos.create(photo) }
        try await fixture.repositories.recipes.create(recipe)
        #expect(try await fixture.repositories.photos.require(first.id).entity == first)
        try await fixture.repositories.recipes.delete(recipe.id)
        #expect(try await fixture.repositories.photos.read([first.id, second.id]).isEmpty)
    }

    @Test func `deleting a photo clears the reference of its recipe`() async throws {
        let fixture = try CookbookFixture()
        let (first, second) = (try photo(fixture), try photo(fixture))
        let recipe = try recipe(fixture, photo: first, stepPhoto: second)
        for photo in [first, second] { try await fixture.repositories.photos.create(photo) }
        try await fixture.repositories.recipes.create(recipe)
        for photo in [first, second] { try await fixture.repositories.photos.delete(photo.id) }
        let stored = try await fixture.repositories.recipes.require(recipe.id).entity
        #expect(stored.photo == nil)
        #expect(stored.steps.map(\.photo) == [nil])
    }

    @Test(arguments: StoreKind.allCases)
    func `a new photo replaces the previous one`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let old = try await kitchen.photo("old")
            let recipe = try await kitchen.recipe("Soup", photo: old)
            let (put, get) = (PutPhoto(storage: kitchen.storage, ids: kitchen.ids), GetPhoto(storage: kitchen.storage))
            #expect(try await get.execute(recipe.id)?.entity == old)
            let bytes = Array("GIF89anew".utf8)
            let new = try await put.execute(.init(recipe: recipe.id, bytes: bytes, digest: Kitchen.digest))
            #expect(new.id != old.id && new.bytes == bytes && new.mediaType == .gif)
            #expect(try await get.execute(recipe.id)?.entity == new)
            #expect(try await kitchen.repositories.photos.read().entities == [new])
            let version = try await kitchen.repositories.recipes.require(recipe.id).version
            #expect(try await put.execute(.init(recipe: recipe.id, bytes: bytes, digest: Kitchen.digest)) == new)
            #expect(try await kitchen.repositories.recipes.require(recipe.id).version == version)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a deleted photo is missing, and its recipe has no photo`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let recipe = try await kitchen.recipe("Soup", photo: try await kitchen.photo("old"))
            let delete = DeletePhoto(storage: kitchen.storage)
            #expect(try await delete.execute(recipe.id))
            #expect(try await kitchen.repositories.recipes.require(recipe.id).photo == nil)
            #expect(try await kitchen.repositories.photos.read().items.isEmpty)
            let version = try await kitchen.repositories.recipes.require(recipe.id).version
            #expect(try await !delete.execute(recipe.id))
            #expect(try await kitchen.repositories.recipes.require(recipe.id).version == version)
        }
    }

    @Test func `a cook sets photos of own recipes, and the previous one is deleted`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let cook = try await kitchen.user("cid", .cook)
            let recipe = try await kitchen.recipe("Soup", of: cook, photo: try await kitchen.photo())
            let put = PutPhoto(storage: kitchen.storage(for: Caller(cook)), ids: kitchen.ids)
            let new = try await put.execute(
                .init(recipe: recipe.id, bytes: Array("GIF89anew".utf8), digest: Kitchen.digest))
            #expect(try await kitchen.repositories.photos.read().entities == [new])
        }
    }

    @Test func `a missing recipe is not found, and bytes of no image are refused`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let recipe = try await kitchen.recipe("Soup")
            let (put, get) = (PutPhoto(storage: kitchen.storage, ids: kitchen.ids), GetPhoto(storage: kitchen.storage))
            #expect(try await get.execute(recipe.id) == nil)
            let error = await persistencyError { _ = try await get.execute(kitchen.ids.next()) }
            #expect(error?.isNotFound == true)
            for bytes in [[], Array("<svg/>".utf8)] {
                await #expect(throws: InvalidField.self) {
                    try await put.execute(.init(recipe: recipe.id, bytes: bytes, digest: Kitchen.digest))
                }
            }
            #expect(try await get.execute(recipe.id) == nil)
        }
    }
}
