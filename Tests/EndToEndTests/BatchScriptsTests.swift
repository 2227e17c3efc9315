import TestSupport
import Testing

/// The scripts of `Tests/Batch` with fewer files than in `make nightly`.
@Suite struct BatchScriptsTests {
    private func runs(_ name: String, _ arguments: String...) {
        let script = "\(Repository.root)/Tests/Batch/\(name).py"
        let result = run(
            "python3", [script, "--command", Command.path] + arguments,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(result.status == 0, "\(result.text)\(result.stderr)")
    }

    @Test(.requires("python3")) func killsLoseNothing() {
        runs("kills", "--files", "1000", "--kills", "5")
    }

    @Test(.requires("python3", "munged", "slurmctld", "slurmd", "sbatch"))
    func partsOfASlurmArrayEqualASingleRun() {
        runs("slurm", "--files", "200")
    }

    @Test(.requiresPython("kubernetes_validate", of: "kubernetes-validate"))
    func kubernetesManifestsAreValidAndRun() {
        runs("kubernetes")
    }
}
