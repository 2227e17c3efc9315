internal import UndertextCore

/// A lenient parser of OpenSubtitles.com's responses: missing values and values of another type are unknown.
enum OpenSubtitlesAnswer {
    /// Returns the subtitles of a page, one for each file, because a movie on two discs has two.
    static func subtitles(_ answer: JSON, provider: String) -> [OnlineSubtitle] {
        (answer["data"]?.elements ?? []).flatMap { entry -> [OnlineSubtitle] in
            guard let attributes = entry["attributes"] else { return [] }
            let files = attributes["files"]?.elements ?? []
            return files.compactMap { file in
                guard let id = file["file_id"]?.wholeNumber else { return nil }
                var subtitle = OnlineSubtitle(provider: provider, id: String(id))
                fill(&subtitle, attributes)
                subtitle.fileName = file["file_name"]?.text
                if files.count > 1 { subtitle.disc = file["cd_number"]?.wholeNumber }
                return subtitle
            }
        }
    }

    private static func fill(_ subtitle: inout OnlineSubtitle, _ attributes: JSON) {
        subtitle.languages =
            attributes["language"]?.text.flatMap { OpenSubtitlesLanguage.tag($0) }.map { [$0] }
            ?? []
        subtitle.release = attributes["release"]?.text
        if attributes["moviehash_match"]?.flag == true { subtitle.match = .hash }
        subtitle.isHearingImpaired = attributes["hearing_impaired"]?.flag ?? false
        // Both are set for whole subtitles for the hard of hearing, by some who upload them.
        subtitle.isForced =
            (attributes["foreign_parts_only"]?.flag ?? false) && !subtitle.isHearingImpaired
        subtitle.isMachineTranslated =
            (attributes["machine_translated"]?.flag ?? false)
            || (attributes["ai_translated"]?.flag ?? false)
        subtitle.isTrusted = attributes["from_trusted"]?.flag ?? false
        subtitle.downloads = attributes["download_count"]?.wholeNumber
        subtitle.rating = attributes["ratings"]?.fraction
        // 0 means unknown.
        subtitle.frameRate = attributes["fps"]?.fraction.flatMap { $0 > 0 ? $0 : nil }
        subtitle.page = attributes["url"]?.text
        guard let feature = attributes["feature_details"] else { return }
        subtitle.title = feature["parent_title"]?.text ?? feature["title"]?.text
        subtitle.year = feature["year"]?.wholeNumber
        subtitle.season = feature["season_number"]?.wholeNumber
        subtitle.episode = feature["episode_number"]?.wholeNumber
        subtitle.imdbID = feature["imdb_id"]?.wholeNumber
        subtitle.tmdbID = feature["tmdb_id"]?.wholeNumber
        subtitle.seriesIMDbID = feature["parent_imdb_id"]?.wholeNumber
        subtitle.seriesTMDBID = feature["parent_tmdb_id"]?.wholeNumber
    }

    /// Returns the download quota of a response: `remaining`, `requests`, `reset_time_utc`.
    static func quota(_ answer: JSON) -> OnlineQuota? {
        let quota = OnlineQuota(
            remaining: answer["remaining"]?.wholeNumber
                ?? answer["remaining_downloads"]?.wholeNumber,
            used: answer["requests"]?.wholeNumber ?? answer["downloads_count"]?.wholeNumber,
            reset: answer["reset_time_utc"]?.text ?? answer["reset_time"]?.text)
        return quota == OnlineQuota() ? nil : quota
    }

    /// Returns the error message of the server.
    static func message(_ answer: JSON?) -> String? {
        if let text = answer?["message"]?.text { return text }
        let errors = answer?["errors"]?.elements.compactMap(\.text) ?? []
        return errors.isEmpty ? nil : errors.joined(separator: "; ")
    }
}
