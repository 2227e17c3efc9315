internal import UndertextIO
internal import UndertextRecognition

/// Reads pictures on all processors, and remembers what it has read.
///
/// All tracks of a run share it: the same picture is read once, in whichever track and cue it comes.
final class RecognitionPool {
    typealias Answer = Result<RecognizedText, MediaError>

    /// A picture that was handed in.
    final class Reading {
        fileprivate(set) var answer: Answer?
        fileprivate init() {}
    }

    private let workers: OrderedWorkers<IndexedBitmap, Answer>
    /// Those without an answer, as they were handed in.
    private var pending = FirstInFirstOut<Reading>()
    private var known: [PictureKey: Reading] = [:]
    /// Pictures that were read; equal ones count once.
    private(set) var readings = 0

    /// A result is small; still no track is to grow without bounds.
    private static let knownAtMost = 1 << 16

    /// Makes the first recogniser.
    ///
    /// - Throws: `MediaError`: the library or a language's data is missing.
    init(_ options: RecognitionOptions, cancellation: Cancellation?) throws(MediaError) {
        let read = try makeReader(options, cancellation: cancellation)
        workers = OrderedWorkers(threadCount: options.threads, read)
    }

    /// Hands a picture in, unless the same one was before; waits while many are being read.
    func reading(of bitmap: IndexedBitmap) -> Reading {
        let key = PictureKey(bitmap)
        if let reading = known[key] { return reading }
        if known.count >= Self.knownAtMost { known = [:] }
        readings += 1
        let reading = Reading()
        known[key] = reading
        pending.append(reading)
        settle(workers.add(bitmap))
        return reading
    }

    /// Waits until everything that was handed in has been read.
    func finish() { settle(workers.finish()) }

    /// Answers come in the order of the pictures.
    private func settle(_ answers: [Answer]) {
        for answer in answers { pending.popFirst()?.answer = answer }
    }
}

/// What tells pictures apart: size, and two hashes of colours and pixels.
///
/// The seed of hashes is another one in each run, so nobody can make two pictures that collide.
private struct PictureKey: Hashable {
    let width: Int
    let height: Int
    let hashes: [Int]

    init(_ bitmap: IndexedBitmap) {
        width = bitmap.width
        height = bitmap.height
        hashes = (0..<2).map { salt in
            var hasher = Hasher()
            hasher.combine(salt)
            hasher.combine(bitmap.palette)
            var word: UInt64 = 0
            for (place, index) in bitmap.indices.enumerated() {
                word = word << 8 | UInt64(index)
                if place & 7 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
            return hasher.finalize()
        }
    }
}

/// What works on the threads.
private func makeReader(
    _ options: RecognitionOptions, cancellation: Cancellation?
) throws(MediaError) -> @Sendable (IndexedBitmap) -> RecognitionPool.Answer {
    #if Recognition
        let recognizer = try TextRecognizer(
            languages: options.languages, silencesLog: options.silencesLog)
        return { bitmap in
            do throws(MediaError) {
                return .success(try recognizer.text(of: bitmap, cancellation: cancellation))
            } catch {
                return .failure(error)
            }
        }
    #else
        throw MediaError(.unsupported, RecognitionPool.isMissing)
    #endif
}

extension RecognitionPool {
    /// What a build without the trait says.
    static let isMissing =
        "this build cannot recognise text; build it with the package trait Recognition"
}
