import { writeSync } from 'node:fs';
import { EXIT } from './report/report.ts';
import { run } from './run.ts';

/** What a shell tells of a program that SIGPIPE ended. */
const BROKEN_PIPE = 141;
const STDERR = 2;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
// Whoever reads along may leave: `| head` ends the program without a stack, by the code of a broken pipe unless there is one of
// its own already. Any other report that cannot be written is told: nobody must take it for one of sound documents.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? BROKEN_PIPE);
  writeSync(STDERR, `headwater-stac: the report cannot be written: ${error.message}; give it a place that takes it\n`);
  process.exit(EXIT.unreadable);
});
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
});
