/// A value that is encoded as the text it is written as.
///
/// `Predicate` captures only what can be encoded; this is for that, and not a wire format.
protocol CodableText: Codable, LosslessStringConvertible {}

extension CodableText {
    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no \(Self.self)")
        }
        self = value
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension RawID: CodableText {}
extension EntityID: CodableText {}
extension CalendarDay: CodableText {}
