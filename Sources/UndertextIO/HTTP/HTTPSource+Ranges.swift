package import UndertextCore

extension HTTPSource {
    /// Ranges of one request: as long a header as every server takes.
    private static let mostRanges = 64

    /// How many ranges one request asks for: many, unless the server has shown that it refuses.
    package var rangesAtOnce: Int { resource.sendsManyRanges ? Self.mostRanges : 1 }

    /// Reads several ranges with one request, where the server sends them so.
    ///
    /// What the answer lacks is asked for range by range.
    package func read(_ ranges: [ByteRange]) throws(UndertextError) -> [[UInt8]] {
        var found: [[UInt8]?] = Array(repeating: nil, count: ranges.count)
        if ranges.count > 1, resource.sendsManyRanges, let parts = manyRanges(ranges) {
            found = ranges.map { parts.bytes(of: inside($0)) }
            // One that sends the first range only will not send more the next time.
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

    /// In the order of the file; servers refuse ranges that overlap.
    private func joined(_ ranges: [ByteRange]) -> [ByteRange] {
        var result: [ByteRange] = []
        for range in ranges.sorted(by: { $0.offset < $1.offset }) {
            guard let last = result.last, range.offset <= last.end else {
                result.append(range)
                continue
            }
            // Both lie in what fetching ahead may hold.
            let end = max(last.end, range.end)
            result[result.count - 1].count = Int(clamping: end - last.offset)
        }
        return result
    }

    /// The answer to one request; `nil` where it has no several parts.
    private func manyRanges(_ ranges: [ByteRange]) -> MultipartRanges? {
        let wanted = joined(ranges.map(inside).filter { $0.count > 0 })
        guard wanted.count > 1 else { return nil }
        do throws(HTTPFailure) {
            let answer = try begin(wanted.map { $0.offset...$0.end - 1 })
            guard answer.status == 206, Self.isPlain(answer), resource.isSame(answer, total: nil),
                let type = answer.fields["content-type"],
                let boundary = MultipartRanges.boundary(in: type)
            else {
                // Other answers than these say nothing of ranges.
                if [200, 206, 416].contains(answer.status) { resource.refusesManyRanges() }
                end()
                return nil
            }
            let sum = wanted.reduce(0) { $0 + $1.count }
            let body = try wholeBody(atMost: sum + 512 * wanted.count + 4096)
            return MultipartRanges(body, boundary: boundary, size: size)
        } catch {
            // Requested one by one, failures are reported or repeated.
            end()
            return nil
        }
    }
}
