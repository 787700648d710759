/// A value that is encoded as its description.
///
/// `Predicate` captures only `Codable` values; this conformance is for predicates and is not a wire format.
protocol CodableText: Codable, LosslessStringConvertible {}

extension CodableText {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid \(Self.self): \(text)")
        }
        self = value
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension RawID: CodableText {}
extension EntityID: CodableText {}
extension CalendarDay: CodableText {}
