/// An action that may help after an error, a diagnostic or a skipped track.
///
/// It names settings of the library; a command turns them into its options.
package struct Remedy: Hashable, Sendable {
    /// A setting of the library, such as a property of the options of an extraction.
    package enum Setting: String, Hashable, Sendable {
        /// The charset of text.
        case charset
        /// The coefficients that make RGB of the colors of images.
        case colorMatrix = "color-matrix"
        /// The destination of outputs.
        case destination
        /// The handling of existing outputs.
        case existing
        /// Images that fill the canvas.
        case canvas
        /// The merging of images that fade.
        case fadeMerging = "fade-merging"
        /// The format of outputs.
        case format
        /// The frame rate.
        case frameRate = "frame-rate"
        /// The stated format of the input.
        case inputFormat = "input-format"
        /// The journal of a batch run.
        case journal
        /// The language of subtitles without one.
        case language
        /// The time for which a live presentation is read.
        case liveDuration = "live-duration"
        /// The start of the media clock.
        case mediaStart = "media-start"
        /// The read path.
        case readPath = "read-path"
        /// The recognition of text in images.
        case recognition
        /// The size of images.
        case scale
        /// The part of a manifest.
        case shard
        /// The removal of styles.
        case styleRemoval = "style-removal"
        /// The selection of tracks.
        case tracks
    }

    /// A short stable name for programs, such as `set`: an open set.
    package let name: String
    /// The affected settings.
    package let settings: [Setting]
    /// The values to choose from, or the one to leave out; empty if there is no list of them.
    package let values: [String]

    /// Creates a remedy.
    package init(name: String, settings: [Setting] = [], values: [String] = []) {
        self.name = name
        self.settings = settings
        self.values = values
    }

    /// Make a setting, to one of `values` if there are any.
    package static func set(_ setting: Setting, to values: [String] = []) -> Remedy {
        Remedy(name: "set", settings: [setting], values: values)
    }

    /// Leave out settings that have no effect or cannot be applied.
    package static func omit(_ settings: [Setting], value: String? = nil) -> Remedy {
        Remedy(name: "omit", settings: settings, values: value.map { [$0] } ?? [])
    }

    /// Allow existing outputs to be replaced.
    package static let replaceOutputs = Remedy(name: "replace-outputs")
    /// Write the outputs of each input to a separate folder.
    package static let separateOutputs = Remedy(name: "separate-outputs")
    /// Make an HLS presentation of the media file.
    package static let packageMedia = Remedy(name: "package-media")
}

extension Diagnostic {
    /// A warning about settings that have no effect.
    package static func ignored(
        _ settings: [Remedy.Setting], _ reason: String, streamIndex: Int? = nil
    ) -> Diagnostic {
        let names = settings.map { $0.rawValue.split(separator: "-").joined(separator: " ") }
        let verb = names.count == 1 ? "has" : "have"
        return Diagnostic(
            .warning, "option-ignored",
            "\(reason): \(names.joined(separator: " and ")) \(verb) no effect",
            streamIndex: streamIndex, remedy: .omit(settings))
    }
}
