import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The order in which a step changes objects, which decides which of several objects it takes a value from.
struct StepOrderTests {
    @Test func `a step changes owned objects in ascending order of their own ids on each store`() async throws {
        let text = Column(name: "text", type: .text)
        let part = EntitySchema(name: "part", columns: [text])
        let book = EntitySchema(
            name: "book", columns: [], children: [ChildRelationship(name: "parts", schema: part)])
        let word = EntitySchema(name: "word", columns: [text, Column(name: "folded", type: .text)], uniques: [[1]])
        let step = MigrationStep(
            "words", version: 2, entity: "part", reading: [text], creating: [word]
        ) { part, context in
            let (text, folded) = (try part.text("text"), try part.text("text").lowercased())
            if try context.id(of: "word", where: ["folded": .text(folded)]) == nil {
                let values: [String: Value] = ["text": .text(text), "folded": .text(folded)]
                try context.insert(context.newObject(of: "word", values))
            }
            return context.reshaped(part)
        }
        func parts(_ parts: (Int, String)...) -> [[StorageObject]] {
            [parts.map { StorageObject(schema: part, id: Sample.id($0.0), values: [.text($0.1)]) }]
        }
        try await MigrationBench.check(
            Evolved(
                name: "order", old: try SchemaSet([book]),
                new: try SchemaSet([book, word], evolution: SchemaEvolution(version: 2, steps: [step])),
                objects: [
                    StorageObject(
                        schema: book, id: Sample.id(1), version: 1, values: [], children: parts((9, "A"), (8, "B"))),
                    StorageObject(
                        schema: book, id: Sample.id(2), version: 1, values: [], children: parts((7, "a"), (10, "b"))),
                ],
                expected: [
                    "book #1 parts=[part #9 text='A' part #8 text='B'] @1",
                    "book #2 parts=[part #7 text='a' part #10 text='b'] @1",
                    "word <word 'B'> text='B' folded='b' @1", "word <word 'a'> text='a' folded='a' @1",
                ]))
    }
}
