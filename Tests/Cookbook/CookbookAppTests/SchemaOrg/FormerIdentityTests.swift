import CookbookDomain
import Foundation
import LarderApp
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@testable import CookbookApp

/// Imports into a store that an earlier version of the importer filled: its identities are literal here.
struct FormerIdentityTests {
    /// Stores recipes under literal identifiers, imports lines, and returns the report and all identifiers.
    private func imported(
        over stored: [(identifier: String, name: String, author: String?)], _ lines: [String]
    ) async throws -> (report: ImportReport, identifiers: [String]) {
        let folder = try TemporaryFolder()
        let file = try folder.file("lines", lines.joined(separator: "\n"))
        return try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            for (identifier, name, author) in stored {
                var draft = RecipeDraft(sourceIdentifier: identifier, name: name)
                draft.author = author
                _ = try await cookbook.importRecipes.execute(.init([draft]))
            }
            var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
            try await run.take([file])
            var identifiers: [String] = []
            try await cookbook.exportRecipes.execute { page in identifiers += page.map(\.recipe.outsideIdentifier) }
            return (run.report, identifiers.sorted())
        }
    }

    @Test func `a document keeps its stored former identity, and nothing is written`() async throws {
        let stored: [(String, String, String?)] = [
            ("7", "A", nil), ("#recipe", "B", nil), ("digest:686c578fc8757277b806e926b982f7c4", "D", "E"),
            ("soup", "S", nil),
        ]
        let (report, identifiers) = try await imported(
            over: stored,
            [
                #"{"@type":"Recipe","name":"A","identifier":"7","url":"https://a.example/7"}"#,
                ##"{"@type":"Recipe","name":"B","@id":"#recipe"}"##,
                #"{"@type":"Recipe","name":"D","author":"E","mainEntityOfPage":"https://a.example/d"}"#,
                #"{"@type":"Recipe","name":"S","identifier":"soup"}"#,
            ])
        #expect(report.unchanged == 4)
        #expect(identifiers == stored.map(\.0).sorted())
    }

    @Test func `a recipe of another name and author does not take a former identity that any source may use`()
        async throws
    {
        let (report, identifiers) = try await imported(
            over: [("7", "A", "Ada"), ("#recipe", "B", nil)],
            [
                #"{"@type":"Recipe","name":"X","author":"Ben","identifier":"7","url":"https://b.example/7"}"#,
                #"{"@type":"Recipe","name":"A, better","author":"Ada","identifier":"7","url":"https://a.example/7"}"#,
                ##"{"@type":"Recipe","name":"Y","@id":"#recipe","url":"https://b.example/y"}"##,
            ])
        #expect((report.inserted, report.updated) == (2, 1))
        #expect(identifiers == ["#recipe", "7", "7@b.example", "https://b.example/y#recipe"])
    }

    @Test func `a name with HTML is corrected in the stored recipe`() async throws {
        let (report, identifiers) = try await imported(
            over: [("digest:0c44a4008e73bf9033248482a8bdc76a", "Mac &amp; cheese", nil)],
            [#"{"@type":"Recipe","name":"Mac &amp; cheese"}"#])
        #expect(report.updated == 1 && report.notes.isEmpty)
        #expect(identifiers == ["digest:0c44a4008e73bf9033248482a8bdc76a"])
    }

    @Test func `an update of a recipe with another name and author is reported`() async throws {
        let (report, _) = try await imported(
            over: [("7", "A", "Ada")], [#"{"@type":"Recipe","name":"B","author":"Ben","identifier":"7"}"#])
        #expect(report.updated == 1)
        #expect(report.notes.map(\.notKept) == [["the stored recipe 'A' (replaced)"]])
    }
}
