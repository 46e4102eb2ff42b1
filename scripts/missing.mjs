// Reports missing programs that a suite needs. On a developer's machine, the tests that need such a program are
// skipped. In CI, the suite fails.

/** Prints the missing programs. */
export function reportMissing(missing) {
  for (const line of missing) console.log(`missing, its tests are skipped: ${line}`);
}

/**
 * Exit code of a suite. `status` is the status of its process, or null if a signal ended the process. Under CI=true, a
 * missing program is also a failure.
 */
export function exitCodeOf(status, missing) {
  if (process.env.CI !== 'true' || missing.length === 0) return status ?? 1;
  console.error(`CI=true: a missing program is a failure: ${missing.join('; ')}`);
  return status || 1;
}
