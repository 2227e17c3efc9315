internal import UndertextCore
internal import UndertextIO
internal import UndertextRecognition

/// Reads images on all processors, and remembers what it has read.
///
/// All tracks of a run share it: the same image is read once, in whichever track and cue it comes.
final class RecognitionPool {
    typealias Answer = Result<RecognizedText, UndertextError>

    /// An image that was added.
    final class Reading {
        fileprivate(set) var answer: Answer?
        fileprivate init() {}
    }

    private let workers: OrderedWorkers<IndexedBitmap, Answer>
    /// The images without a result, in the order they were added.
    private var pending = FirstInFirstOut<Reading>()
    private var known: [ImageKey: Reading] = [:]
    /// Images that were read; equal ones count once.
    private(set) var readings = 0

    /// A result is small; still no track is to grow without bounds.
    private static let knownAtMost = 1 << 16

    /// Makes the first recognizer.
    ///
    /// - Throws: `UndertextError`: the library or a language's data is missing.
    init(_ options: RecognitionOptions, cancellation: Cancellation?) throws(UndertextError) {
        let read = try makeReader(options, cancellation: cancellation)
        workers = OrderedWorkers(threadCount: options.threads, read)
    }

    /// Hands an image in, unless the same one was before; waits while many are being read.
    func reading(of bitmap: IndexedBitmap) -> Reading {
        let key = ImageKey(bitmap)
        if let reading = known[key] { return reading }
        if known.count >= Self.knownAtMost { known = [:] }
        readings += 1
        let reading = Reading()
        known[key] = reading
        pending.append(reading)
        settle(workers.add(bitmap))
        return reading
    }

    /// Waits until all added images have been recognized.
    func finish() { settle(workers.finish()) }

    /// Results are in the order of the images.
    private func settle(_ answers: [Answer]) {
        for answer in answers { pending.popFirst()?.answer = answer }
    }
}

/// The identity of an image: its size and two hashes of its colors and pixels.
///
/// The hashes are seeded randomly in each run, so that crafted images cannot collide.
/// The seed of hashes is another one in each run, so a file cannot contain images made to collide.
private struct ImageKey: Hashable {
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

/// Creates the recognizer of a thread.
private func makeReader(
    _ options: RecognitionOptions, cancellation: Cancellation?
) throws(UndertextError) -> @Sendable (IndexedBitmap) -> RecognitionPool.Answer {
    #if Recognition
        let recognizer = try TextRecognizer(
            languages: options.languages, silencesLog: options.silencesLog)
        return { bitmap in
            do throws(UndertextError) {
                return .success(try recognizer.text(of: bitmap, cancellation: cancellation))
            } catch {
                return .failure(error)
            }
        }
    #else
        throw UndertextError(.unsupported, RecognitionPool.isMissing)
    #endif
}

extension RecognitionPool {
    /// The error of a build without the trait.
    static let isMissing =
        "this build cannot recognize text; build it with the package trait Recognition"
}
