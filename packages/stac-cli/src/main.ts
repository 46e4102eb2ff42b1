import { writeSync } from 'node:fs';
import { EXIT } from './report/report.ts';
import { run } from './run.ts';

const BROKEN_PIPE = 141;
const STDERR = 2;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
// A closed pipe (`| head`) ends the program silently. Other errors are reported, because an incomplete report would
// look complete.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? BROKEN_PIPE);
  writeSync(
    STDERR,
    `headwater-stac: the report cannot be written: ${error.message}; write it to another file or disk\n`,
  );
  process.exit(EXIT.unreadable);
});
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
});
