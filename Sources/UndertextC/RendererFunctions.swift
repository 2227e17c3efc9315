// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextPlayback
internal import UndertextRendering

/// C: `undertext_renderer_create`.
@c @implementation
public func undertext_renderer_create(
    _ model: OpaquePointer?, _ geometry: UnsafePointer<undertext_geometry>?,
    _ renderer: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe renderer?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let renderer = unsafe renderer else {
            throw .argument("the renderer output pointer is NULL")
        }
        let handle = try unsafe modelHandle(model)
        let sizes = try unsafe overlayGeometry(geometry)
        let made = try attempt { () throws(UndertextError) in try RendererHandle(handle, sizes) }
        unsafe renderer.pointee = owned(made)
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_create_document`.
@c @implementation
public func undertext_renderer_create_document(
    _ document: OpaquePointer?, _ geometry: UnsafePointer<undertext_geometry>?,
    _ renderer: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe renderer?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let renderer = unsafe renderer else {
            throw .argument("the renderer output pointer is NULL")
        }
        let handle = try unsafe documentHandle(document)
        let sizes = try unsafe overlayGeometry(geometry)
        let content = OverlayContent(handle.document, fonts: handle.fonts)
        let made = try attempt { () throws(UndertextError) in try RendererHandle(content, sizes) }
        unsafe renderer.pointee = owned(made)
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_set_geometry`.
@c @implementation
public func undertext_renderer_set_geometry(
    _ renderer: OpaquePointer?, _ geometry: UnsafePointer<undertext_geometry>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe rendererHandle(renderer)
        let sizes = try unsafe overlayGeometry(geometry)
        try attempt { () throws(UndertextError) in try handle.setGeometry(sizes) }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_set_style`.
@c @implementation
public func undertext_renderer_set_style(
    _ renderer: OpaquePointer?, _ place: undertext_place, _ key: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe rendererHandle(renderer)
        guard let place = SubtitlePlace(place) else { throw .argument("there is no such place") }
        guard let key = unsafe text(key) else { throw .argument("the key is NULL") }
        var style = handle.style(of: place)
        do throws(UndertextError) {
            try unsafe style.set("\(key)=\(text(value) ?? "content")")
        } catch {
            throw .argument(error.description)
        }
        try attempt { () throws(UndertextError) in try handle.setStyle(style, of: place) }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_load_settings`.
@c @implementation
public func undertext_renderer_load_settings(
    _ renderer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe rendererHandle(renderer)
        let path = unsafe text(path)
        try attempt { () throws(UndertextError) in try handle.loadSettings(path) }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_diagnostic`.
@c @implementation
public func undertext_renderer_diagnostic(
    _ renderer: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> undertext_status {
    unsafe message?.pointee = nil
    guard let handle = unsafe object(renderer, RendererHandle.self), let message = unsafe message
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    unsafe message.pointee = unsafe handle.nextDiagnostic()
    return unsafe message.pointee == nil ? UNDERTEXT_STATUS_END : UNDERTEXT_STATUS_OK
}

/// C: `undertext_renderer_draw`.
@c @implementation
public func undertext_renderer_draw(
    _ renderer: OpaquePointer?, _ time: Int64, _ overlay: UnsafeMutablePointer<undertext_overlay>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe rendererHandle(renderer)
        let drawn = try attempt { () throws(UndertextError) in
            try handle.draw(at: Timestamp(nanoseconds: time))
        }
        guard unsafe write(drawn.value, to: overlay) == UNDERTEXT_STATUS_OK else {
            throw .argument("overlay is NULL, or its size member is not set")
        }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_preview`.
@c @implementation
public func undertext_renderer_preview(
    _ renderer: OpaquePointer?, _ place: undertext_place, _ text: UnsafePointer<CChar>?,
    _ overlay: UnsafeMutablePointer<undertext_overlay>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe rendererHandle(renderer)
        guard let place = SubtitlePlace(place) else { throw .argument("there is no such place") }
        let words = unsafe UndertextC.text(text)
        let drawn = try attempt { () throws(UndertextError) in
            try handle.preview(words, of: place)
        }
        guard unsafe write(drawn.value, to: overlay) == UNDERTEXT_STATUS_OK else {
            throw .argument("overlay is NULL, or its size member is not set")
        }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_renderer_free`.
@c @implementation
public func undertext_renderer_free(_ renderer: OpaquePointer?) {
    unsafe release(renderer, RendererHandle.self)
}

private func rendererHandle(_ renderer: OpaquePointer?) throws(Failure) -> RendererHandle {
    guard let handle = unsafe object(renderer, RendererHandle.self) else {
        throw .argument("the renderer handle is NULL")
    }
    return handle
}

private func overlayGeometry(
    _ geometry: UnsafePointer<undertext_geometry>?
) throws(Failure) -> OverlayGeometry {
    guard let given = unsafe read(geometry) else {
        throw .argument("geometry is NULL, or its size member is not set")
    }
    let video = PixelSize(width: Int(given.video_width), height: Int(given.video_height))
    guard video.width > 0, video.height > 0 else {
        throw .argument("the geometry has no size of the video: set video_width and video_height")
    }
    var result = OverlayGeometry(video: video)
    if given.pixel_aspect != 0 {
        guard given.pixel_aspect > 0, given.pixel_aspect.isFinite else {
            throw .argument("pixel_aspect \(given.pixel_aspect) is not valid")
        }
        result.pixelAspect = given.pixel_aspect
    }
    if given.width != 0 { result.output.width = Int(given.width) }
    if given.height != 0 { result.output.height = Int(given.height) }
    switch given.pixels {
    case Int32(UNDERTEXT_PIXELS_RGBA.rawValue): result.format = .rgba
    case Int32(UNDERTEXT_PIXELS_BGRA.rawValue): result.format = .bgra
    default: throw .argument("pixel format \(given.pixels) is not valid")
    }
    return result
}
