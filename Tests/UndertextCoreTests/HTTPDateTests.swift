import Testing
import UndertextCore

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            // RFC 9110, section 5.6.7
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
            ("Sun, 99 Nov 9223372036854775807 08:49:37 GMT", nil), ("", nil), (",,,,,", nil),
        ] as [(String, Int64?)])
    func dates(_ text: String, _ seconds: Int64?) {
        #expect(HTTPResponse.date(text) == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("120", nil, .seconds(120)), ("1.5", nil, .milliseconds(1500)), ("-1", nil, nil),
            ("soon", nil, nil), ("nan", nil, nil), ("1e300", nil, .seconds(1_000_000_000)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", .seconds(60)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", .zero),
            // Without the server's clock, a date has no meaning.
            ("Sun, 06 Nov 1994 08:50:37 GMT", nil, nil),
        ] as [(String, String?, Duration?)])
    func retryAfter(_ text: String, _ date: String?, _ expected: Duration?) {
        var response = HTTPResponse(status: 429, headers: ["retry-after": text])
        response.headers["date"] = date
        #expect(response.retryAfter == expected)
    }
}
