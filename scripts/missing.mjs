// What a suite cannot do for want of somebody else's program: a machine of one's own skips it, CI does not.

/** Says what is missing. */
export function tellMissing(missing) {
  for (const line of missing) console.log(`missing, its tests are skipped: ${line}`);
}

/** The exit code of a suite that ended with `status` (null: by a signal): under CI=true what is missing is a failure too. */
export function exitCodeOf(status, missing) {
  if (process.env.CI !== 'true' || missing.length === 0) return status ?? 1;
  console.error(`CI=true: what is missing there is a failure: ${missing.join('; ')}`);
  return status || 1;
}
