internal import Glibc

/// How many descriptors this process may have open; C: `RLIMIT_NOFILE`.
package enum DescriptorLimit {
    /// The number that holds now, the soft limit.
    package static var current: Int {
        Int(clamping: limits?.rlim_cur ?? rlim_t(usual))
    }

    /// Raises the limit to `wanted` as far as the hard limit allows; never lowers it.
    ///
    /// Process-wide: for programs, not for libraries.
    package static func raise(to wanted: Int) {
        guard var limits, let wanted = rlim_t(exactly: wanted), limits.rlim_cur < wanted else {
            return
        }
        limits.rlim_cur = min(wanted, limits.rlim_max)
        // What cannot be raised stays as it is.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    /// What most systems begin with.
    private static let usual = 1024

    private static var limits: rlimit? {
        var limits = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0
            ? limits : nil
    }
}
