import { existsSync } from 'node:fs';
import { runCommand, splitArguments } from './commands.ts';
import { readConfig, readSettings } from './config/read-config.ts';
import { endWithFailure } from './end-with-failure.ts';
import { callFrom } from './read-arguments.ts';
import { misspeltVariables } from './config/misspelt-variables.ts';

const BROKEN_PIPE = 141;

callFrom(process.env['INIT_CWD']);
const shell = { ...process.env };
// Variables that are already set take precedence over `.env`.
if (existsSync('.env')) process.loadEnvFile('.env');

const args = process.argv.slice(2);
const { name } = splitArguments(args);
// If the reader of stdout has ended (as after `| head`), a command ends without a stack trace. Services and workers
// continue.
if (args.includes('--help') || !['serve', 'worker'].includes(name))
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? BROKEN_PIPE);
  });
try {
  await runCommand({
    args,
    config: (overrides, variables) => readConfig({ ...process.env, ...variables }, overrides, shell),
    settings: () => readSettings(process.env, {}, shell),
    service: process.env['SERVICE_API_BASE'],
    warnOfMisspelt: (write) => misspeltVariables(process.env).forEach(write),
  });
} catch (error) {
  endWithFailure(error, name === 'serve' ? 'cannot start' : `cannot run ${name}`);
}
