import { run } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
// Whoever reads along may leave: `| head` ends the program without a stack.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
});
