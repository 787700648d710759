internal import ArgumentParser
internal import LarderApp

/// The option that names the first operator.
struct OperatorOptions: SettingOptions {
    @Option(
        name: .customLong(Setting.firstOperator.name),
        help: ArgumentHelp(
            "The first \(ServiceIdentity.current.operatorNoun), registered if there is none.",
            discussion:
                "Also \(Setting.firstOperator.variable). Required for the first start unless --http-tls is none.",
            valueName: "name"))
    var name: String?

    var flags: [Setting: String?] { [.firstOperator: name] }
}

extension Setting {
    /// Names the first operator. The service's word for operators is in the setting's name: `http-first-admin`.
    static var firstOperator: Setting { Setting("http-first-\(ServiceIdentity.current.operatorNoun)") }
}
