internal import ArgumentParser
internal import LarderApp

/// The option that names the first operator.
struct OperatorOptions: SettingOptions {
    @Option(
        name: .customLong(Setting.firstOperator.name),
        help: Setting.firstOperator.help(valueName: "name"))
    var name: String?

    var flags: [Setting: String?] { [.firstOperator: name] }
}

extension Setting {
    /// Names the first operator. The service's word for operators is in the setting's name: `http-first-admin`.
    static var firstOperator: Setting {
        let noun = ServiceIdentity.current.operatorNoun
        return Setting(
            "http-first-\(noun)",
            "The first \(noun), registered if there is none. Required for the first start unless http-tls is none.")
    }
}
