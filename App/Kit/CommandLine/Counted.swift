/// A number of things as a person says it: "1 recipe", "2 recipes".
public func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
