/// The requirements that no law names. Their ids are in brackets in the comments of the ports.
extension StoreContract {
    /// The ids of the requirements that no law can test, each with the reason.
    public static let untestable: KeyValuePairs = [
        "changes.6": "all laws share a process",
        "changes.8": "a store chooses how much it retains",
        "changes.9": "opening is not part of the port",
        "commit.20": "a law cannot see inside a store",
        "declared.7": "a law cannot see inside a store",
        "declared.8": "a law cannot take a capability from a store",
        "doubt.2": "a law cannot cause this failure",
        "error.9": "a law cannot cause this failure",
        "error.14": "opening is not part of the port",
        "error.15": "a law cannot cause this failure",
        "error.16": "a law cannot cause this failure",
        "feature.3": "a law does not know what bypasses a decorator",
        "live.8": "it depends on the machine",
        "outcome.8": "a law cannot cause this failure",
        "page.10": "a law cannot see inside a store",
        "store.5": "a law cannot see inside a store",
        "transaction.17": "a law does not store a million entities",
    ]

    /// The ids of the requirements that no law tests yet.
    public static let untested: [String] = []
}
