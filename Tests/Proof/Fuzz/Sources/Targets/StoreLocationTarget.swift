internal import LarderApp

/// Values of the option `--store`.
enum StoreLocationTarget {
    private static let environment = UserEnvironment(["HOME": "/home/ada"])

    static func decode(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let location = try StoreLocation(text, environment: environment)
            guard try StoreLocation(location.description, environment: environment) == location else {
                fail("'\(text)' becomes \(location), which is read as something else")
            }
        } catch {
            // The text of a database may contain a password.
            if text.hasPrefix("postgres") { return }
            // Compared by bytes: an initial combining mark combines with the quotation mark before it.
            guard error.description.utf8.contains(text.utf8) else { fail("\(error)") }
        }
    }
}
