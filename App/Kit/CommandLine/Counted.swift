/// A count with its noun in the singular or plural: "1 recipe", "2 recipes".
public func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
