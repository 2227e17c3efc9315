package import UndertextCore

extension HTTPSource {
    /// The number of ranges per request; more make a header that some servers refuse.
    private static let mostRanges = 64

    /// The number of ranges that one request may contain: 1 after the server has refused several.
    package var rangesAtOnce: Int { resource.sendsManyRanges ? Self.mostRanges : 1 }

    /// Reads several ranges with one request, if the server supports it.
    ///
    /// Ranges that the response lacks are requested one at a time.
    package func read(_ ranges: [ByteRange]) throws(UndertextError) -> [[UInt8]] {
        var found: [[UInt8]?] = Array(repeating: nil, count: ranges.count)
        if ranges.count > 1, resource.sendsManyRanges, let parts = manyRanges(ranges) {
            found = ranges.map { parts.bytes(of: inside($0)) }
            // A server that sends only the first range will not send more the next time.
            if found.allSatisfy({ $0 == nil }) { resource.refusesManyRanges() }
        }
        var result: [[UInt8]] = []
        for (place, range) in ranges.enumerated() {
            if let bytes = found[place] {
                result.append(bytes)
            } else {
                result.append(try read(at: range.offset, count: range.count))
            }
        }
        return result
    }

    /// The part of a range that lies in the file.
    private func inside(_ range: ByteRange) -> ByteRange {
        guard let size else { return range }
        let room = size > range.offset ? size - range.offset : 0
        return ByteRange(
            offset: range.offset, count: Int(min(UInt64(max(0, range.count)), room)))
    }

    /// The ranges in file order, joined where they overlap, because servers refuse overlapping ranges.
    private func joined(_ ranges: [ByteRange]) -> [ByteRange] {
        var result: [ByteRange] = []
        for range in ranges.sorted(by: { $0.offset < $1.offset }) {
            guard let last = result.last, range.offset <= last.end else {
                result.append(range)
                continue
            }
            // Both ends lie within the limit of read-ahead.
            let end = max(last.end, range.end)
            result[result.count - 1].count = Int(clamping: end - last.offset)
        }
        return result
    }

    /// The response to one request; `nil` if it has no multipart body.
    private func manyRanges(_ ranges: [ByteRange]) -> MultipartRanges? {
        let wanted = joined(ranges.map(inside).filter { $0.count > 0 })
        guard wanted.count > 1 else { return nil }
        do throws(HTTPFailure) {
            let answer = try begin(wanted.map { $0.offset...$0.end - 1 })
            guard answer.status == 206, Self.isPlain(answer), resource.isSame(answer, total: nil),
                let type = answer.fields["content-type"],
                let boundary = MultipartRanges.boundary(in: type)
            else {
                // Other statuses do not show whether the server supports ranges.
                if [200, 206, 416].contains(answer.status) { resource.refusesManyRanges() }
                end()
                return nil
            }
            let sum = wanted.reduce(0) { $0 + $1.count }
            let body = try wholeBody(atMost: sum + 512 * wanted.count + 4096)
            return MultipartRanges(body, boundary: boundary, size: size)
        } catch {
            // Single requests report or retry these failures.
            end()
            return nil
        }
    }
}
