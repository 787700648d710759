internal import LarderApp

/// Request bodies: accepted JSON must be written so that it parses as equal JSON, also as a patch of itself.
enum JSONTarget {
    static func decode(_ bytes: [UInt8]) {
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            guard error.offset <= bytes.count else { fail("\(error) is behind the end") }
            return
        }
        guard let again = try? JSON(parsing: json.bytes()), again == json else { fail("\(json) is not read again") }
        let merged = json.merging(patch: json)
        guard merged.merging(patch: json) == merged else { fail("\(json) merged twice is not as merged once") }
        var fields = JSONFields(json)
        _ = fields.objects("a") { element in element.requiredInteger("b") }
        guard fields.errors.count <= JSONFields.errorLimit else { fail("\(fields.errors.count) errors are kept") }
    }
}
