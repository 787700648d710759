import LarderDomain
import Testing

struct FieldCheckTests {
    private struct Loan: Entity {
        let id: EntityID<Loan>
    }

    private let check = FieldCheck(Loan.self)

    private func reason(_ body: () throws(InvalidField) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            #expect(error.entity == "loan" && error.field == "note")
            return error.reason
        }
    }

    @Test func `a text is composed and trimmed, and neither blank nor too long`() throws {
        #expect(try check.text(" e\u{301} ", "note", atMost: 3).unicodeScalars.elementsEqual("é".unicodeScalars))
        let absent: String? = nil
        #expect(try check.text(absent, "note", atMost: 1) == nil)
        #expect(reason { () throws(InvalidField) in _ = try check.text("", "note", atMost: 9) } != nil)
        #expect(
            reason { () throws(InvalidField) in _ = try check.text(" \n", "note", atMost: 9) } == "must not be blank")
        #expect(reason { () throws(InvalidField) in _ = try check.text("ab", "note", atMost: 1) } != nil)
        #expect(reason { () throws(InvalidField) in _ = try check.text("a\0", "note", atMost: 9) } != nil)
    }

    @Test func `a stored text may be as long as earlier versions allowed`() throws {
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 2)
        #expect(try FieldCheck(Loan.self, .stored).text(flags, "note", atMost: 2) == flags)
        #expect(reason { () throws(InvalidField) in _ = try check.text(flags, "note", atMost: 2) } != nil)
    }

    @Test func `a decimal has the scale of its column`() throws {
        #expect(try check.decimal(12, "note", scale: 2, atLeast: 0).description == "12.00")
        #expect(try check.decimal(ExactDecimal("1.500"), "note", scale: 1, atLeast: 0)?.description == "1.5")
        #expect(try check.decimal(nil, "note", scale: 1, atLeast: 0) == nil)
        let most = "must have at most 2 digits after the point, and 16 before it"
        for (text, problem) in [("-0.01", "must be at least 0"), ("1.234", most), ("92233720368547759", most)] {
            let number = ExactDecimal(text)
            #expect(number != nil)
            #expect(
                reason { () throws(InvalidField) in _ = try check.decimal(number, "note", scale: 2, atLeast: 0) }
                    == problem)
        }
    }

    @Test func `an error names a value object`() {
        struct PostalAddress {}
        let error = FieldCheck(valueObject: PostalAddress.self).refusal("city", "must not be blank")
        #expect(error == InvalidField(entity: "postal_address", field: "city", reason: "must not be blank"))
    }

    @Test func `numbers have a range, and lists no duplicates`() {
        #expect(reason { () throws(InvalidField) in try check.number(3, "note", in: 1...2) } == "must be 1 to 2")
        #expect(reason { () throws(InvalidField) in try check.number(nil, "note", in: 1...2) } == nil)
        for number in [-0.5, .nan, .infinity] {
            #expect(
                reason { () throws(InvalidField) in try check.number(number, "note", atLeast: 0) }
                    == "must be a finite number of at least 0")
        }
        #expect(reason { () throws(InvalidField) in try check.number(0.0, "note", atLeast: 0) } == nil)
        #expect(reason { () throws(InvalidField) in try check.number(nil, "note", atLeast: 0) } == nil)
        #expect(reason { () throws(InvalidField) in try check.distinct([1, 1], "note", atMost: 2) } != nil)
        #expect(reason { () throws(InvalidField) in try check.distinct([1, 2], "note", atMost: 1) } != nil)
        #expect(reason { () throws(InvalidField) in try check.distinct([1, 2], "note", atMost: 2) } == nil)
    }
}
