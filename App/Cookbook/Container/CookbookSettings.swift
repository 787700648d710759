internal import LarderApp
internal import LarderHTTP

/// The settings of `larder serve`.
struct CookbookSettings: Sendable, Equatable {
    let service: ServiceSettings
    /// The e-mail address of the user who becomes admin if there is none.
    let firstAdmin: String?
    /// The maximum size of a photo in bytes.
    let photoBytes: Int

    static let standardPhotoBytes = 5 * 1024 * 1024

    init(_ service: ServiceSettings, firstAdmin: String? = nil, photoBytes: Int = standardPhotoBytes) {
        (self.service, self.firstAdmin, self.photoBytes) = (service, firstAdmin, photoBytes)
    }

    /// Reads the effective settings.
    ///
    /// - Throws: `CommandFailure` naming all settings that are wrong.
    init(_ sources: SettingSources, isDevelopment: Bool) throws(CommandFailure) {
        var reader = SettingReader(sources)
        service = ServiceSettings(&reader, isDevelopment: isDevelopment)
        firstAdmin = reader.read { sources throws(CommandFailure) in try sources.value(of: .firstAdmin) }?.value
        photoBytes = reader.integer(.photoBytes, default: Self.standardPhotoBytes, in: 1024...67_108_864)
        try reader.check()
    }

    /// The settings beside those of every service, valid or not.
    static func effective(in sources: SettingSources) throws(CommandFailure) -> [EffectiveSetting] {
        [
            try sources.value(of: .firstAdmin),
            try sources.number(of: .photoBytes, default: String(standardPhotoBytes)),
        ]
    }
}

extension Setting {
    static let firstAdmin = Setting("http-first-admin")
    static let photoBytes = Setting("http-max-photo-bytes")
}
