package import UndertextCore
internal import UndertextIO

/// A part of the work of a manifest: `index` of `count`, both from 1.
package struct Shard: Hashable, Sendable {
    /// The number of the part, from 1.
    package let index: Int
    /// The number of parts.
    package let count: Int
    /// The largest number of parts.
    package static let limit = 100_000

    /// Creates a shard; `nil` if the numbers are not those of a part.
    package init?(index: Int, count: Int) {
        guard (1...Self.limit).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Parses `I/N`; `nil` for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
            return nil
        }
        self.init(index: index, count: count)
    }

    /// The shard of a task by the variables of the engine that runs it; `nil` outside of array jobs.
    ///
    /// Slurm, AWS Batch and Cloud Run state the number of tasks, Kubernetes does not.
    ///
    /// - Parameters:
    ///   - planned: The number of parts where the engine does not state it.
    ///   - value: The value of a variable.
    /// - Returns: The shard.
    /// - Throws: ``UndertextError`` with code `bad-shard` if the variables contradict each other.
    package static func ofEnvironment(
        planned: Int, _ value: (String) -> String?
    ) throws(UndertextError) -> Shard? {
        /// The number in a variable; it must be there if `first` is.
        func number(_ name: String, of first: String) throws(UndertextError) -> Int {
            let text = value(name)
            guard let text, let number = Int(text), (0...Int(Int32.max)).contains(number) else {
                throw UndertextError(
                    .badShard,
                    "\(first) is set, but \(name) is \(text.map { "'\($0)', no number" } ?? "not")")
            }
            return number
        }
        let index: Int
        let count: Int
        let name: String
        if value("SLURM_ARRAY_TASK_ID") != nil {
            name = "SLURM_ARRAY_TASK_ID"
            let id = try number(name, of: name)
            let first = try number("SLURM_ARRAY_TASK_MIN", of: name)
            let last = try number("SLURM_ARRAY_TASK_MAX", of: name)
            let step = max(1, try number("SLURM_ARRAY_TASK_STEP", of: name))
            count = try number("SLURM_ARRAY_TASK_COUNT", of: name)
            guard last >= first, id >= first, (last - first) / step + 1 == count,
                (id - first).isMultiple(of: step)
            else {
                throw UndertextError(
                    .badShard, "the Slurm array is sparse; use a range such as --array=1-8",
                    remedy: .set(.shard))
            }
            index = (id - first) / step + 1
        } else if value("AWS_BATCH_JOB_ARRAY_INDEX") != nil {
            name = "AWS_BATCH_JOB_ARRAY_INDEX"
            index = try number(name, of: name) + 1
            count = try number("AWS_BATCH_JOB_ARRAY_SIZE", of: name)
        } else if value("CLOUD_RUN_TASK_INDEX") != nil {
            name = "CLOUD_RUN_TASK_INDEX"
            index = try number(name, of: name) + 1
            count = try number("CLOUD_RUN_TASK_COUNT", of: name)
        } else if value("JOB_COMPLETION_INDEX") != nil {
            name = "JOB_COMPLETION_INDEX"
            index = try number(name, of: name) + 1
            count = planned
        } else {
            return nil
        }
        guard let shard = Shard(index: index, count: count) else {
            throw UndertextError(
                .badShard, "\(name) selects part \(index) of \(count)", remedy: .set(.shard))
        }
        return shard
    }
}

extension Shard: CustomStringConvertible {
    /// The form of `--shard`: `2/8`.
    package var description: String { "\(index)/\(count)" }
}

extension UndertextError.Code {
    /// The part of an array job is not stated, or not one of its parts.
    package static let badShard = UndertextError.Code(name: "bad-shard")
}
