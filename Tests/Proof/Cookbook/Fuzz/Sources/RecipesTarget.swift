#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain
internal import Synchronization

@testable internal import CookbookApp
@testable internal import CookbookDomain

/// Recipe files. Each valid recipe is exported, and parsing the export must return an equal recipe.
struct RecipesTarget: Sendable {
    /// Sequential ids from 1, so that equal drafts become equal recipes.
    private final class Numbers: IDGenerator {
        private let last = Atomic<UInt64>(0)

        func next() -> RawID { RawID(high: 0, low: last.add(1, ordering: .relaxed).newValue) }
    }

    /// Files are read by path; this one is in memory if the system has a file system in memory.
    private let file: URL = {
        let isThere = FileManager.default.fileExists(atPath: "/dev/shm")
        let folder = isThere ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
        return folder.appending(path: "larder-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    }()

    @Sendable func decode(_ bytes: [UInt8]) {
        for content in read(bytes) {
            guard case .recipe(let result) = content, let exported = Self.exported(result.draft) else { continue }
            let line = RecipeDocument(exported).line()
            guard case .recipe(let second)? = read(line).first, second.notKept.isEmpty else {
                fail("\(String(decoding: line, as: UTF8.self)) is not read again")
            }
            guard let again = Self.exported(second.draft), again == exported else {
                fail("\(String(decoding: line, as: UTF8.self)) is read as another recipe")
            }
        }
    }

    private func read(_ bytes: [UInt8]) -> [RecipeItem.Content] {
        do {
            try Data(bytes).write(to: file)
            var source = try RecipeSource(path: file.path)
            var contents: [RecipeItem.Content] = []
            while let item = try source.next() { contents.append(item.content) }
            return contents
        } catch {
            fail("a file that is there cannot be read: \(error)")
        }
    }

    /// The recipe of a draft with its tags; `nil` if it is invalid.
    private static func exported(_ draft: RecipeDraft) -> ExportRecipes.Exported? {
        let ids = Numbers()
        var names: [String] = []
        for name in draft.tags where !names.contains(name) { names.append(name) }
        guard let tags = try? names.map({ try Tag(id: ids.next(), name: $0) }),
            let recipe = try? draft.recipe(
                from: nil, tags: tags.map(\.id), owner: nil, ids: ids, now: Timestamp(microseconds: 0))
        else { return nil }
        return ExportRecipes.Exported(recipe, tags: tags)
    }
}
