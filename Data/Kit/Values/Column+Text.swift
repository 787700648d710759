internal import LarderDomain

extension Column {
    /// The value of the column that a person writes as this text.
    func value(of text: String) throws(ValueRefusal) -> Value {
        if let scale {
            guard let decimal = ExactDecimal(text) else { throw ValueRefusal("must be a number, not '\(text)'") }
            return try decimal.columnValue(scale: scale)
        }
        return switch type {
        case .integer: try value(Int64(text), text, "an integer")
        case .boolean: try value(text == "true" ? true : text == "false" ? false : nil, text, "true or false")
        case .timestamp: try value(Timestamp(rfc3339: text), text, "an instant such as 2026-03-01T18:30:00Z")
        case .real: try value(Double(text), text, "a number")
        case .text: try text.columnValue()
        case .day: try value(CalendarDay(text), text, "a day such as 2026-03-01")
        case .blob: throw ValueRefusal("contains bytes, which cannot be looked up")
        case .id: try value(RawID(text), text, "an id such as 01890a5d-ac96-774b-bcce-b302099a8057")
        }
    }

    private func value(
        _ parsed: (some ColumnValue)?, _ text: String, _ form: String
    ) throws(ValueRefusal) -> Value {
        guard let parsed else { throw ValueRefusal("must be \(form), not '\(text)'") }
        return try parsed.columnValue()
    }
}
