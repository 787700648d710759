/// The name of a service, and names derived from it. The executable supplies it.
public struct ServiceIdentity: Sendable, Equatable {
    /// The command's name: lower-case ASCII letters, digits and hyphens, such as `my-loans`. Also the name of the
    /// settings folder and the data folder, the log's label, and the realm of HTTP authentication.
    public let name: String
    /// The display name: `My Loans`.
    public let title: String
    /// The role that operates the service, with its article: `a librarian`. Lower-case ASCII letters and hyphens. It
    /// occurs in messages, and in the name of the setting for the first operator: `http-first-librarian`.
    public let operatorRole: String
    /// The environment variables with the service's prefix that other programs use, such as its build, without the prefix.
    /// Other variables with the prefix that are no settings are refused or reported.
    public let otherVariables: Set<String>

    /// Creates an identity; names are not checked.
    public init(
        name: String, title: String, operatorRole: String = "an operator", otherVariables: Set<String> = []
    ) {
        (self.name, self.title, self.operatorRole) = (name, title, operatorRole)
        self.otherVariables = otherVariables
    }

    /// The role without its article: `librarian`.
    package var operatorNoun: String { String(operatorRole.split(separator: " ").last ?? "operator") }

    private var word: String { name.replacing("-", with: "_") }

    /// The prefix of environment variables: `MY_LOANS_`. It does not start with a digit, because a shell refuses that.
    public var variablePrefix: String {
        let upper = word.uppercased() + "_"
        return upper.first?.isNumber ?? false ? "_" + upper : upper
    }

    /// The prefix of access tokens, by which people and secret scanners recognize them: `my_loans_`.
    public var tokenPrefix: String { word + "_" }

    /// The identity of the running program. A task-local value, because the parser creates commands without arguments;
    /// ``CommandFrame/main(_:_:arguments:bootstrap:)`` sets it.
    @TaskLocal public static var current = ServiceIdentity(name: "service", title: "Service")
}
