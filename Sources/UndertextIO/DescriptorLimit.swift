internal import Glibc

/// The number of file descriptors that this process may open; C: `RLIMIT_NOFILE`.
package enum DescriptorLimit {
    /// The current soft limit.
    package static var current: Int {
        Int(clamping: limits?.rlim_cur ?? rlim_t(usual))
    }

    /// Raises the soft limit to `wanted`, or up to the hard limit; never lowers it.
    ///
    /// This affects the whole process, so only programs should call it, not libraries.
    package static func raise(to wanted: Int) {
        guard var limits, let wanted = rlim_t(exactly: wanted), limits.rlim_cur < wanted else {
            return
        }
        limits.rlim_cur = min(wanted, limits.rlim_max)
        // If this fails, the limit remains unchanged.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    /// The usual soft limit.
    private static let usual = 1024

    private static var limits: rlimit? {
        var limits = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0
            ? limits : nil
    }
}
