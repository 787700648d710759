/// A violation of a law.
struct LawBroken: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Fails the law unless a condition is true.
func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(LawBroken) {
    if !holds { throw LawBroken(otherwise()) }
}

/// Fails the law unless two values are equal. The message abbreviates long values.
func expect<Value: Equatable>(_ what: String, _ actual: Value, is expected: Value) throws(LawBroken) {
    guard actual != expected else { return }
    func short(_ value: Value) -> String {
        let text = "\(value)"
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
    throw LawBroken("\(what) is \(short(actual)) and should be \(short(expected))")
}
