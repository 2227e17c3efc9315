import TestSupport
import Testing
import UndertextCore

@testable import Undertext

private func text(_ json: JSON?) -> String? {
    json.map { String(decoding: $0.compact, as: UTF8.self) }
}

@Suite struct ProbeJSONTests {
    private let json = probeSample().json

    @Test func sectionsAreInFfprobesOrder() {
        #expect(json.keys == ["programs", "streams", "chapters", "format", "undertext"])
    }

    @Test func formatHasFfprobesTypes() {
        #expect(
            text(json["format"])
                == #"{"filename":"film.mkv","nb_streams":7,"nb_programs":1,"#
                + #""format_name":"matroska,webm","format_long_name":"Matroska / WebM","#
                + #""start_time":"-0.083000","duration":"5400.250000","size":"4517000000","#
                + #""bit_rate":"6691000","probe_score":100,"#
                + #""tags":{"title":"A film\u001b[2J","title":"again"}}"#)
    }

    @Test func streamsHaveFfprobesKeys() throws {
        let streams = try #require(json["streams"]).values
        try #require(streams.count == 7)
        #expect(
            text(streams[0])?.hasPrefix(
                #"{"index":0,"codec_name":"h264","codec_type":"video","codec_tag_string":"avc1","#
                    + #""codec_tag":"0x31637661","width":1920,"height":800,"id":"0x100","#
                    + #""avg_frame_rate":"24000/1001","time_base":"1/1000","#
                    + #""bit_rate":"4000999","extradata_size":48,"disposition":{"default":1,"#)
                == true)
        #expect(streams[0]["disposition"]?.keys.count == 17)
        #expect(
            text(streams[1])?.hasPrefix(
                #"{"index":1,"codec_name":"aac","codec_type":"audio","#
                    + #""codec_tag_string":"[15][0][0][0]","codec_tag":"0x000f","#
                    + #""sample_rate":"48000","channels":6,"channel_layout":"5.1(side)","#
                    + #""id":"0x101","time_base":"1/90000","disposition":{"#) == true)
        #expect(text(streams[1]["tags"]) == #"{"language":"eng"}"#)
        #expect(streams[2]["codec_name"] == nil)
        #expect(streams[2]["width"] == nil)
        #expect(streams[5]["codec_type"] == nil)
        #expect(streams[5]["tags"] == nil)
    }

    @Test func ownMembersAreUnderUndertext() throws {
        let streams = try #require(json["streams"]).values
        try #require(streams.count == 7)
        #expect(
            text(streams[2]["undertext"])
                == #"{"kind":"text","codec":"webvtt","language":"pt-BR","extraction":{"#
                + #""kind":"text","indexed":true,"packets":312,"cues":312,"first":1.001,"#
                + #""last":5398.2,"coverage":0.4284,"outputs":["vtt","srt","json"]}}"#)
        #expect(
            text(streams[3]["undertext"]?["extraction"])
                == #"{"kind":"bitmap","indexed":false,"packets":1,"cues":null,"first":null,"#
                + #""last":null,"coverage":null,"outputs":["png","sup"]}"#)
        #expect(
            text(streams[5]["undertext"])
                == #"{"kind":"data","codec":"unknown","language":null,"extraction":null}"#)
        #expect(json["undertext"]?.keys == ["input", "content", "attachments"])
        #expect(
            text(json["undertext"]?["attachments"])
                == "[{\"stream\":6,\"fileName\":\"Sans\u{202E}.ttf\",\"mimeType\":\"font/ttf\",\"size\":120345}]"
        )
    }

    @Test func contentHasTheBindingNames() {
        let content = json["undertext"]?["content"]
        #expect(
            content?.keys == [
                "fileFormat", "hasVideo", "hasAudio", "videoCodec", "audioCodec", "captionType",
                "width", "height", "pitch", "videoFrameRate", "audioChannels", "audioSampleRate",
                "audioBitrate", "videoBitrate", "totalPlayTime", "totalContentSize", "isSeekable",
                "isPausable", "isJunkContent", "metadata", "drmInfo", "currentVideoStream",
                "currentAudioStream", "currentTextStream", "streams",
            ])
        #expect(text(content?["totalPlayTime"]) == "5400.25")
        #expect(text(content?["pitch"]) == "null")
        #expect(
            text(content?["streams"]?.values.last)
                == #"{"id":4,"type":"text","name":null,"language":"de","inStreamID":null,"#
                + #""representativeCodec":"dvd_subtitle","disposition":["forced"],"#
                + #""customAttributeSets":[],"currentTrack":4,"tracks":[{"id":4,"#
                + #""codec":"dvd_subtitle","bandwidth":null,"width":null,"height":null,"#
                + #""frameRate":null,"profile":null,"level":null,"customAttributes":{},"#
                + #""hasAudio":false,"hasVideo":false,"isIFrameOnly":false,"isValid":true,"#
                + #""invalidReason":null}]}"#)
    }

    @Test func programsAndChaptersAreFfprobes() throws {
        let program = try #require(json["programs"]?.values.first)
        #expect(
            program.keys == ["program_id", "nb_streams", "pmt_pid", "pcr_pid", "tags", "streams"])
        #expect(program["streams"]?.values.count == 2)
        #expect(program["streams"]?.values.first?["undertext"] == nil)
        #expect(
            text(json["chapters"])
                == #"[{"id":1,"time_base":"1/1000000000","start":0,"start_time":"0.000000","#
                + #""end":600500000000,"end_time":"600.500000","tags":{"title":"Opening"}},"#
                + #"{"id":2,"time_base":"1/1000000000","start":600500000000,"#
                + #""start_time":"600.500000","end":5400000000000,"end_time":"5400.000000"}]"#)
    }

    @Test func aFailureIsFfprobesError() {
        let error = UndertextError(
            .notFound, "there is no such file", path: "x.mkv", underlying: "ENOENT")
        #expect(
            text(ProbeReport.json(failure: error, input: "x.mkv"))
                == #"{"error":{"code":-2,"string":"there is no such file (ENOENT)"},"#
                + #""undertext":{"input":"x.mkv","code":"not-found"}}"#)
    }

    @Test func anotherReadersStreamShowsOnlyWhatItKnows() {
        let container = ContainerDescription(
            formatName: "matroska,webm",
            streams: [StreamDescription(index: 0, kind: .text, codec: .subRip)])
        let streams = ProbeReport(input: "a", container: container).json["streams"]?.values
        #expect(
            streams?.first?.keys == [
                "index", "codec_name", "codec_type", "time_base", "disposition", "undertext",
            ])
    }

    /// A name without its secrets would differ from ffprobe's: then there is none.
    @Test func secretsOfURLsAreLeftOut() {
        let container = ContainerDescription(formatName: "matroska,webm")
        let report = ProbeReport(
            input: "https://u:p@example.org/a.mkv?token=x", container: container)
        #expect(report.json["format"]?["filename"] == nil)
        #expect(
            report.json["undertext"]?["input"]?.text == "https://***@example.org/a.mkv?token=***")
        let plain = ProbeReport(input: "https://example.org/a.mkv", container: container)
        #expect(plain.json["format"]?["filename"]?.text == "https://example.org/a.mkv")
    }
}
