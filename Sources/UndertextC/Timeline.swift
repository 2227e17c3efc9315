// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore

/// The object of an `undertext_timeline`.
private final class TimelineHandle {
    var timeline = CueTimeline()
}

/// C: `undertext_timeline_create`.
@c @implementation
public func undertext_timeline_create() -> OpaquePointer? { unsafe owned(TimelineHandle()) }

/// C: `undertext_timeline_read`.
@c @implementation
public func undertext_timeline_read(
    _ media: OpaquePointer?, _ stream: Int32, _ timeline: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe timeline?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let timeline = unsafe timeline else {
            throw .argument("the timeline output pointer is NULL")
        }
        let file = try unsafe mediaFile(media)
        let reader = try attempt { () throws(UndertextError) in
            try file.subtitleTrack(id: Int(stream)).cueReader()
        }
        var cues: [Cue] = []
        var hasEnded = false
        defer {
            // Cues that were read before a failure are returned, too.
            if hasEnded || !cues.isEmpty {
                let handle = TimelineHandle()
                handle.timeline.insert(contentsOf: cues)
                unsafe timeline.pointee = owned(handle)
            }
        }
        while let cue = try attempt({ () throws(UndertextError) in try reader.next() }) {
            cues.append(cue)
        }
        hasEnded = true
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_timeline_add`.
@c @implementation
public func undertext_timeline_add(_ timeline: OpaquePointer?, _ cue: OpaquePointer?) {
    guard let value = unsafe object(cue, CueValue.self) else { return }
    unsafe object(timeline, TimelineHandle.self)?.timeline.insert(value.cue)
}

/// C: `undertext_timeline_count`.
@c @implementation
public func undertext_timeline_count(_ timeline: OpaquePointer?) -> Int {
    unsafe object(timeline, TimelineHandle.self)?.timeline.count ?? 0
}

/// C: `undertext_timeline_at`.
@c @implementation
public func undertext_timeline_at(
    _ timeline: OpaquePointer?, _ time: Int64, _ cues: UnsafeMutablePointer<OpaquePointer?>?,
    _ capacity: Int
) -> Int {
    guard let handle = unsafe object(timeline, TimelineHandle.self) else { return 0 }
    let shown = handle.timeline.cues(at: Timestamp(nanoseconds: time))
    return unsafe hand(shown.map(CueValue.init), to: cues, capacity)
}

/// C: `undertext_timeline_next_change`.
@c @implementation
public func undertext_timeline_next_change(_ timeline: OpaquePointer?, _ time: Int64) -> Int64 {
    guard let handle = unsafe object(timeline, TimelineHandle.self) else { return .min }
    return nanoseconds(handle.timeline.nextChange(after: Timestamp(nanoseconds: time)))
}

/// C: `undertext_timeline_previous_change`.
@c @implementation
public func undertext_timeline_previous_change(
    _ timeline: OpaquePointer?, _ time: Int64
) -> Int64 {
    guard let handle = unsafe object(timeline, TimelineHandle.self) else { return .min }
    return nanoseconds(handle.timeline.previousChange(before: Timestamp(nanoseconds: time)))
}

/// C: `undertext_timeline_generation`.
@c @implementation
public func undertext_timeline_generation(_ timeline: OpaquePointer?) -> UInt64 {
    unsafe object(timeline, TimelineHandle.self)?.timeline.generation ?? 0
}

/// C: `undertext_timeline_discard`.
@c @implementation
public func undertext_timeline_discard(_ timeline: OpaquePointer?, _ before: Int64) {
    unsafe object(timeline, TimelineHandle.self)?.timeline
        .discard(before: Timestamp(nanoseconds: before))
}

/// C: `undertext_timeline_free`.
@c @implementation
public func undertext_timeline_free(_ timeline: OpaquePointer?) {
    unsafe release(timeline, TimelineHandle.self)
}
