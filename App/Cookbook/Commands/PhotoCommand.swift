internal import ArgumentParser
internal import CookbookDomain
internal import Crypto
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

struct PhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Sets, reads, and deletes the photo of a recipe.",
        subcommands: [Put.self, Get.self, Delete.self])

    struct Put: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "put", abstract: "Sets the photo of a recipe.",
            discussion: "JPEG, PNG, GIF, WebP, or AVIF, of at most 5 MiB. Replaces an existing photo.")
        static let httpWay = "PUT /v1/recipes/{id}/photo"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
        var recipe: String

        @Argument(help: "The photo; - is standard input.", completion: .file())
        var file: String

        func run(in cookbook: OpenCookbook) async throws {
            let bytes = try ByteReader(path: file).readAll(atMost: Photo.maximumSize)
            let recipe = try await cookbook.recipe(recipe)
            let photo: Photo
            do {
                photo = try await cookbook.putPhoto.execute(
                    .init(recipe: recipe.id, bytes: bytes, digest: SHA256.hexDigest(of: bytes)))
            } catch let field as InvalidField {
                throw CommandFailure(.badInput, "\(file): \(field.description)")
            }
            try Terminal.output(
                "\(recipe.name) has a photo: \(photo.mediaType.rawValue), \(counted(photo.bytes.count, "byte"))")
        }
    }

    struct Get: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Writes the photo of a recipe to a file, or to standard output.")
        static let httpWay = "GET /v1/recipes/{id}/photo"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
        var recipe: String

        @Argument(help: "The file, which is replaced if it exists; - is standard output.", completion: .file())
        var file = "-"

        func run(in cookbook: OpenCookbook) async throws {
            let recipe = try await cookbook.recipe(recipe)
            guard let photo = try await cookbook.getPhoto.execute(recipe.id) else {
                throw CommandFailure(
                    .notFound, "\(recipe.name) has no photo", advice: "Add one: larder photo put RECIPE FILE")
            }
            guard file == "-" else { return try OutputFile.write(photo.bytes, to: file) }
            guard Terminal.outputTraits.width == nil else {
                throw CommandFailure(
                    .usage, "cannot print a photo on a terminal", advice: "Name a file, or redirect the output.")
            }
            try Terminal.output(photo.bytes)
        }
    }

    struct Delete: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes the photo of a recipe.")
        static let httpWay = "DELETE /v1/recipes/{id}/photo"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The recipe: its id, its identifier, or its name, ignoring case and diacritics.")
        var recipe: String

        func run(in cookbook: OpenCookbook) async throws {
            let recipe = try await cookbook.recipe(recipe)
            guard try await cookbook.deletePhoto.execute(recipe.id) else {
                throw CommandFailure(.notFound, "\(recipe.name) has no photo")
            }
            try Terminal.output("\(recipe.name) no longer has a photo")
        }
    }
}
