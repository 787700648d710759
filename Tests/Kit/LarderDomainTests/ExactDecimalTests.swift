#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import Testing

@Suite("Exact decimals")
struct ExactDecimalTests {
    private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text), "\(text)") }

    @Test(arguments: [
        ("0", 0, 0), ("1.50", 150, 2), ("-0.05", -5, 2), ("12", 12, 0), ("-9223372036854775808", Int64.min, 0),
        ("9223372036.854775807", .max, 9), ("0.000000001", 1, 9), ("-1.0", -10, 1),
    ])
    func `a text is read and written`(_ text: String, _ units: Int64, _ scale: Int) throws {
        let decimal = try decimal(text)
        #expect(decimal.units == units && decimal.scale == scale && decimal.description == text)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "-.5", "+1", "1e3", "1,5", "1.2.3", " 1", "1 ", "NaN", "1.0000000000", "--1", "1.-5",
        "١",
        "9223372036854775808", "9223372036854775807.5", "-1.+5",
    ])
    func `another text is no decimal`(_ text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test func `numbers are compared, and not their digits`() throws {
        let ascending = try [
            "-9223372036854775808", "-1.5", "-1.499999999", "0.0", "0.05", "1.5", "1.51", "9223372036854775807",
        ]
        .map(decimal)
        for (index, one) in ascending.enumerated() {
            for (other, two) in ascending.enumerated() {
                #expect((one < two) == (index < other) && (one == two) == (index == other))
            }
        }
        #expect(try Set([decimal("1.5"), decimal("1.50"), decimal("1.500000000")]).count == 1)
        #expect(try decimal("2") == 2)
    }

    @Test func `sums, differences and products are exact`() throws {
        #expect(try (decimal("0.1") + decimal("0.2")).description == "0.3")
        #expect(try (decimal("0.10") + decimal("0.2")).description == "0.30")
        #expect(try (decimal("1") - decimal("0.001")).description == "0.999")
        #expect(try (decimal("19.90") * 3).description == "59.70" && (-decimal("0.5")).description == "-0.5")
        #expect(try (decimal("1.5") * decimal("0.25")).description == "0.375")
        #expect(try (decimal("1") - decimal("0.00")).description == "1.00" && (decimal("0.000") + 1).scale == 3)
        #expect(try decimal("-1.5").magnitude == decimal("1.5") && ExactDecimal(exactly: UInt64.max) == nil)
        var total = ExactDecimal.zero
        for price in try ["9.99", "0.01"].map(decimal) { total += price }
        total *= 2
        #expect(total == 20 && total.scale == 2)
    }

    @Test func `overflow traps, as does a scale of more than nine digits`() async {
        await #expect(processExitsWith: .failure) { _ = ExactDecimal(units: .max, scale: 0) * 2 }
        await #expect(processExitsWith: .failure) { _ = ExactDecimal(units: .max, scale: 1) + ExactDecimal.one }
        await #expect(processExitsWith: .failure) { _ = ExactDecimal(units: .min, scale: 0) - ExactDecimal.one }
        await #expect(processExitsWith: .failure) { _ = -ExactDecimal(units: .min, scale: 0) }
        // The sum has three digits after the point.
        await #expect(processExitsWith: .failure) { _ = ExactDecimal(units: .max, scale: 0) + .thousandth }
        await #expect(processExitsWith: .failure) { _ = .thousandth * .thousandth * ExactDecimal(units: 1, scale: 4) }
    }

    @Test func `a scale has more digits or fewer, unless the number needs them`() throws {
        #expect(try decimal("1.50").rescaled(to: 1)?.description == "1.5")
        #expect(try decimal("1.5").rescaled(to: 3)?.description == "1.500")
        #expect(try decimal("1.55").rescaled(to: 1) == nil && decimal("9223372036854775807").rescaled(to: 1) == nil)
    }

    @Test(arguments: ["0", "1.5", "-0.05", "9223372036.854775807", "-9223372036854775808", "1000000", "0.000000001"])
    func `a decimal survives the conversion to Foundation's and coding`(_ text: String) throws {
        let decimal = try decimal(text)
        #expect(ExactDecimal(decimal.decimal) == decimal && "\(decimal.decimal)" == text)
        #expect(try JSONDecoder().decode([ExactDecimal].self, from: JSONEncoder().encode([decimal])) == [decimal])
    }

    @Test func `a coded decimal keeps the digits of its scale`() throws {
        let decimals = try ["1.50", "-0.050", "7.00", "0.000000000"].map(decimal)
        let coded = try JSONDecoder().decode([ExactDecimal].self, from: JSONEncoder().encode(decimals))
        #expect(coded.map(\.description) == decimals.map(\.description))
    }

    @Test func `a decimal of Foundation that does not fit is refused`() throws {
        for text in ["0.0000000001", "1e19", "-9223372036854775809"] {
            #expect(ExactDecimal(try #require(Decimal(string: text))) == nil, "\(text)")
        }
        #expect(ExactDecimal(Decimal.nan) == nil)
        #expect(ExactDecimal(Decimal(sign: .plus, exponent: -10, significand: 12_500_000_000))?.description == "1.25")
    }
}

extension ExactDecimal {
    fileprivate static let one = ExactDecimal(units: 1, scale: 0)
    fileprivate static let thousandth = ExactDecimal(units: 1, scale: 3)
}
