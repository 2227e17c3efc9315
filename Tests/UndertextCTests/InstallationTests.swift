import TestSupport
import Testing

/// The files that `make install` installs and `make uninstall` removes.
@Suite(.serialized)
struct InstallationTests {
    private static let pages = [
        "undertext", "undertext-batch", "undertext-batch-merge", "undertext-batch-plan",
        "undertext-batch-run", "undertext-batch-status", "undertext-check", "undertext-convert",
        "undertext-extract",
        "undertext-ffmpeg", "undertext-hls", "undertext-hls-package", "undertext-inspect",
        "undertext-probe", "undertext-render", "undertext-search", "undertext-serve",
        "undertext-sync",
    ]

    /// The files that an installation of version 0.9.0 has, and no others.
    private static func expected(version: String) -> Set<String> {
        let completions = [
            "share/bash-completion/completions/undertext", "share/zsh/site-functions/_undertext",
            "share/fish/vendor_completions.d/undertext.fish",
        ]
        let others = [
            "bin/undertext", "bin/undertext-ffmpeg", "lib/undertext/ffmpeg",
            "lib/undertext/ffprobe", "include/undertext.h", "lib/libundertext.so",
            "lib/libundertext.so.0", "lib/libundertext.so.\(version)", "lib/pkgconfig/undertext.pc",
            "share/undertext/manifest",
        ]
        return Set(completions + others + pages.map { "share/man/man1/\($0).1" })
    }

    /// The paths of files and links below a folder.
    private func files(in folder: String) -> Set<String> {
        let found = run("find", [folder, "-not", "-type", "d", "-printf", "%P\\n"])
        return Set(found.text.split(separator: "\n").map(String.init))
    }

    private func script(
        _ name: String, _ prefix: String, destination: String, libraries: String? = nil
    ) -> ToolResult {
        run(
            Repository.root + "/Scripts/" + name, [prefix],
            environment: [
                "UNDERTEXT_CONFIGURATION": "debug", "UNDERTEXT_LINKED": "1", "STRIP": "",
                "DESTDIR": destination, "LIBDIR": libraries,
            ])
    }

    @Test func installsWhatTheListSaysAndRemovesIt() throws {
        _ = try #require(CLibrary.prefix)
        let folder = TemporaryDirectory()
        let root = folder.path + "/usr"
        // A user's own file, and one of an earlier version.
        let own = root + "/share/man/man1/other.1"
        let old = root + "/lib/libundertext.so.0.1.0"
        #expect(
            run(
                "mkdir", ["-p", root + "/share/man/man1", root + "/share/undertext", root + "/lib"]
            ).status == 0)
        #expect(run("touch", [own, old]).status == 0)
        writeFile(
            Array("/usr/lib/libundertext.so.0.1.0\n".utf8), to: root + "/share/undertext/manifest")

        var manifests: [String] = []
        for _ in 1...2 {
            let installed = script("install.sh", "/usr", destination: folder.path)
            #expect(installed.status == 0, "\(installed.text)\(installed.stderr)")
            let version = InstalledCommand.version
            #expect(
                files(in: root).symmetricDifference(Self.expected(version: version))
                    == ["share/man/man1/other.1"])
            manifests.append(run("cat", [root + "/share/undertext/manifest"]).text)
        }
        #expect(manifests[0] == manifests[1])
        #expect(run(root + "/bin/undertext", ["--version"]).text == InstalledCommand.version + "\n")
        #expect(
            run("readlink", ["-f", root + "/lib/undertext/ffprobe"]).text == root
                + "/bin/undertext\n")

        let removed = script("uninstall.sh", "/usr", destination: folder.path)
        #expect(removed.status == 0, "\(removed.text)\(removed.stderr)")
        #expect(files(in: folder.path) == ["usr/share/man/man1/other.1"])
        let left = run("find", [folder.path, "-type", "d", "-printf", "%P\\n"]).text
        #expect(
            Set(left.split(separator: "\n")) == [
                "usr", "usr/lib", "usr/share", "usr/share/man", "usr/share/man/man1",
                "usr/share/undertext",
            ])
        #expect(script("uninstall.sh", "/usr", destination: folder.path).status == 1)
    }

    @Test func librariesMayHaveAFolderOfTheirOwn() throws {
        _ = try #require(CLibrary.prefix)
        let folder = TemporaryDirectory()
        let installed = script(
            "install.sh", "/usr", destination: folder.path, libraries: "/usr/lib/x86_64-linux-gnu")
        #expect(installed.status == 0, "\(installed.text)\(installed.stderr)")
        let libraries = folder.path + "/usr/lib/x86_64-linux-gnu"
        let flags = run(
            "pkg-config", ["--libs", "--cflags", "--define-variable=prefix=/opt/u", "undertext"],
            environment: ["PKG_CONFIG_PATH": libraries + "/pkgconfig"])
        #expect(flags.text.contains("-I/opt/u/include"))
        #expect(flags.text.contains("-L/opt/u/lib/x86_64-linux-gnu -lundertext"))
        #expect(script("install.sh", "usr", destination: folder.path).status == 64)
    }

    @Test(.requires("mandoc", "man"), arguments: pages)
    func manualPagesAreValid(page: String) throws {
        let path = try #require(CLibrary.prefix) + "/share/man/man1/\(page).1"
        let lint = run("mandoc", ["-Tlint", "-Wwarning", path])
        #expect(lint.status == 0, "\(lint.text)")
        let shown = run(
            "man", ["--warnings", "-E", "UTF-8", "-l", path], environment: ["MANWIDTH": "90"])
        #expect(shown.status == 0 && shown.stderr.isEmpty, "\(shown.stderr)")
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"] {
            #expect(shown.text.contains("\n\(section)\n"), "\(section) is missing")
        }
    }

    @Test(.requires("man"))
    func manualPagesKeepExamplesAndCodes() throws {
        let prefix = try #require(CLibrary.prefix)
        func shown(_ page: String) -> String {
            run(
                "man", ["-E", "UTF-8", "-l", "\(prefix)/share/man/man1/\(page).1"],
                environment: ["MANWIDTH": "100", "MAN_KEEP_FORMATTING": nil]
            ).text
        }
        let extract = shown("undertext-extract")
        #expect(
            extract.contains(
                "\n           undertext extract --tracks en,fr+forced --format srt,sup *.mkv\n"))
        #expect(extract.contains("     130, 143\n             interrupted by a signal\n"))
        #expect(extract.contains("     -o, --output path\n"))
        #expect(extract.contains("AWS_ENDPOINT_URL_S3"))
        #expect(shown("undertext-render").contains("style.conf"))
        #expect(shown("undertext-batch-run").contains("SLURM_ARRAY_TASK_ID"))
    }

    /// A command line, its beginning of a word, and words that shells offer.
    static let lines: [(line: String, offered: [String])] = [
        ("undertext ex", ["extract"]),
        ("undertext extract --fo", ["--format", "--forced-only", "--force"]),
        ("undertext extract --format v", ["vtt", "vobsub"]),
        ("undertext extract --format vtt,s", ["vtt,srt", "vtt,sup"]),
        ("undertext extract --io w", ["walk"]),
        ("undertext extract --timeline so", ["source"]),
        ("undertext extract --tracks en+fo", ["en+forced"]),
        ("undertext extract --tracks text,d", ["text,de", "text,da"]),
        ("undertext convert --language p", ["pt", "pl"]),
        ("undertext convert --to js", ["json", "jsonl"]),
        ("undertext convert --ocr de+e", ["de+en", "de+es"]),
        ("undertext search --languages en,s", ["en,sv", "en,sr"]),
        ("undertext batch run --retry f", ["failed", "failed,partial"]),
        ("undertext render --style edge=r", ["edge=raised"]),
    ]

    @Test(arguments: lines)
    func bashOffersValues(line: String, offered: [String]) throws {
        let prefix = try #require(CLibrary.prefix)
        let words = line.split(separator: " ").map(String.init)
        let result = run(
            "bash",
            [
                Repository.root + "/Tests/Shells/complete.bash",
                prefix + "/share/bash-completion/completions/undertext",
                prefix + "/bin/undertext",
            ] + words.dropFirst())
        let answers = result.text.split(separator: "\n").map(String.init)
        #expect(Set(answers).isSuperset(of: offered), "\(answers)\(result.stderr)")
        #expect(answers.allSatisfy { $0.hasPrefix(words.last ?? "") })
    }

    /// Interactive shells take a second each, so they get a few lines.
    @Test(.requires("zsh"), arguments: [lines[1], lines[3], lines[6]])
    func zshOffersValues(line: String, offered: [String]) throws {
        let prefix = try #require(CLibrary.prefix)
        try offers(offered, to: line, "zsh", prefix + "/share/zsh/site-functions")
    }

    @Test(.requires("zsh", "fish"), arguments: [lines[3], lines[6], lines[12]])
    func fishOffersValues(line: String, offered: [String]) throws {
        let prefix = try #require(CLibrary.prefix)
        try offers(
            offered, to: line, "fish", prefix + "/share/fish/vendor_completions.d/undertext.fish")
    }

    /// Types a line in an interactive shell.
    private func offers(
        _ words: [String], to line: String, _ shell: String, _ file: String
    ) throws {
        let prefix = try #require(CLibrary.prefix)
        let home = TemporaryDirectory()
        let result = run(
            "zsh",
            ["-f", Repository.root + "/Tests/Shells/complete.zsh", shell, file, line, words[0]],
            environment: [
                "PATH": prefix + "/bin:/usr/local/bin:/usr/bin:/bin", "HOME": home.path,
            ])
        #expect(result.status == 0, "\(result.text)\(result.stderr)")
    }
}

/// The command that was installed.
private enum InstalledCommand {
    static let version =
        run((CLibrary.prefix ?? "") + "/bin/undertext", ["--version"])
        .text.split(separator: "\n").first.map(String.init) ?? ""
}
