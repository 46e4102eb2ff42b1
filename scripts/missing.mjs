// Reports missing programs. Tests are skipped, but in CI the suite fails.

/** Prints the missing programs. */
export function reportMissing(missing) {
  for (const line of missing) console.log(`tests are skipped, because a program is missing: ${line}`);
}

/**
 * Exit code of a suite. `status` is null if a signal ended the suite; under CI=true, a missing program is a failure.
 */
export function exitCodeOf(status, missing) {
  if (process.env.CI !== 'true' || missing.length === 0) return status ?? 1;
  console.error(`CI=true: a missing program is a failure: ${missing.join('; ')}`);
  return status || 1;
}
