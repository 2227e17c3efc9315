internal import UndertextCore

/// The parameters of a search at OpenSubtitles.com in the form that its cache expects: sorted by name, in lower
/// case, without default values.
///
/// Other forms are redirected to this one, which costs another request.
struct OpenSubtitlesQuery: Hashable {
    /// Names and values without their order.
    private(set) var parameters: [String: String] = [:]

    /// Returns the searches for a query, the best first; the others are fallbacks for empty results.
    ///
    /// IDs are more reliable than text, so text is used only without an ID.
    static func searches(for query: OnlineQuery) -> [OpenSubtitlesQuery] {
        var searches: [OpenSubtitlesQuery] = []
        func add(_ parameters: [String: String]) {
            var search = OpenSubtitlesQuery()
            search.parameters = parameters
            if let hash = query.movieHash { search.parameters["moviehash"] = hash.description }
            guard !search.parameters.isEmpty else { return }
            let codes = Set(query.languages.flatMap(OpenSubtitlesLanguage.codes))
            if !codes.isEmpty {
                search.parameters["languages"] = codes.sorted().joined(separator: ",")
            }
            if !searches.contains(search) { searches.append(search) }
        }

        var numbers: [String: String] = [:]
        numbers["imdb_id"] = query.imdbID.map { String($0) }
        numbers["tmdb_id"] = query.tmdbID.map { String($0) }
        var place: [String: String] = [:]
        place["season_number"] = query.season.map { String($0) }
        place["episode_number"] = query.episode.map { String($0) }
        if !numbers.isEmpty {
            if query.episode != nil {
                var series = place
                for (name, value) in numbers { series["parent_\(name)"] = value }
                add(series)
            }
            // The number may be that of the episode itself.
            add(numbers)
        } else if let text = query.text {
            place["query"] = text.lowercased()
            if query.episode == nil { place["year"] = query.year.map { String($0) } }
            add(place)
            // The year of a name may be that of the disc.
            if place.removeValue(forKey: "year") != nil { add(place) }
        } else {
            add([:])
        }
        return searches
    }

    /// The parameters as part of an address.
    func text(page: Int) -> String {
        var all = parameters
        // Left out where it is the default.
        if page > 1 { all["page"] = String(page) }
        return QueryText.encoded(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}
