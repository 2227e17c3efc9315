internal import UndertextCore

/// The files of the inspector's page, which are part of the binary.
enum InspectorPage {
    /// A file.
    struct File: Sendable {
        /// The media type.
        let type: String
        let bytes: [UInt8]
    }

    /// The files by name.
    static let files: [String: File] = [
        "index.html": File("text/html", PackageResources.index_html),
        "icon.svg": File("image/svg+xml", PackageResources.icon_svg),
        "style.css": File("text/css", PackageResources.style_css),
        "app.js": File("text/javascript", PackageResources.app_js),
        "api.js": File("text/javascript", PackageResources.api_js),
        "dom.js": File("text/javascript", PackageResources.dom_js),
        "timeline.js": File("text/javascript", PackageResources.timeline_js),
        "cuelist.js": File("text/javascript", PackageResources.cuelist_js),
        "shifts.js": File("text/javascript", PackageResources.shifts_js),
        "editor.js": File("text/javascript", PackageResources.editor_js),
        "recognition.js": File("text/javascript", PackageResources.recognition_js),
        "views.js": File("text/javascript", PackageResources.views_js),
    ]
}

extension InspectorPage.File {
    fileprivate init(_ type: String, _ bytes: [UInt8]) {
        self.init(type: type + "; charset=utf-8", bytes: bytes)
    }
}
