import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

struct SQLiteBindingTests {
    let scratch = Scratch()

    @Test func `values are read back, whether or not they fit into the statement's memory`()
        async throws
    {
        try await scratch.open().close()
        let statement = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE).statement(
            "SELECT " + (1...60).map { "?\($0), typeof(?\($0))" }.joined(separator: ", "))
        // Twice, because the second use overwrites the bindings of the first.
        for round in 0..<2 {
            let values = (0..<60).map { number -> Value in
                switch number % 4 {
                case 0: .text("the text \(round) \(number)")
                case 1: .id(Sample.id(number + round))
                case 2: .text("")
                default: .blob(Array(repeating: UInt8(number), count: number % 8 == 3 ? 0 : number))
                }
            }
            try statement.bind(values, from: 1)
            #expect(try statement.step())
            for (number, value) in values.enumerated() {
                let type: ColumnType = number % 2 == 0 ? .text : number % 4 == 1 ? .id : .blob
                #expect(statement.value(Int32(2 * number), type) == value)
                #expect(statement.text(Int32(2 * number + 1)) == (type == .text ? "text" : "blob"))
            }
            statement.finish()
        }
    }
}
