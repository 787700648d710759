public import LarderDomain

/// One step of a recipe, which owns it.
public struct Step: Entity {
    /// The maximum code points of ``text``.
    public static let maximumText = 10_000
    /// The maximum of ``timerSeconds``: 30 days.
    public static let maximumTimer = 2_592_000

    /// The step.
    public let id: EntityID<Step>
    /// The instruction, 1 to 10,000 characters.
    public let text: String
    /// The duration of the step's timer: 1 second to 30 days.
    public let timerSeconds: Int?
    /// A photo, which is deleted with the step.
    public let photo: EntityID<Photo>?

    /// Makes a step.
    ///
    /// - Parameter limits: `.stored` for a text that a store returned.
    /// - Throws: `InvalidField` naming `text` or `timerSeconds`.
    public init(
        id: EntityID<Step>, text: String, timerSeconds: Int? = nil, photo: EntityID<Photo>? = nil,
        limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(Step.self, limits)
        self.id = id
        self.text = try check.text(text, "text", atMost: Self.maximumText)
        try check.number(timerSeconds, "timerSeconds", in: 1...Self.maximumTimer)
        self.timerSeconds = timerSeconds
        self.photo = photo
    }
}
