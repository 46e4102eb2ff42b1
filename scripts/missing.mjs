// Handling of missing programs that a suite needs: on a developer's machine the tests are skipped, in CI the suite fails.

/** Prints what is missing. */
export function reportMissing(missing) {
  for (const line of missing) console.log(`missing, its tests are skipped: ${line}`);
}

/** Exit code of a suite that ended with `status` (null: ended by a signal). Under CI=true a missing program is also a failure. */
export function exitCodeOf(status, missing) {
  if (process.env.CI !== 'true' || missing.length === 0) return status ?? 1;
  console.error(`CI=true: a missing program is a failure: ${missing.join('; ')}`);
  return status || 1;
}
