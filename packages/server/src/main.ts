import { existsSync } from 'node:fs';
import { runCommand, splitArguments } from './commands.ts';
import { readConfig } from './config/read-config.ts';
import { endWithFailure } from './end-with-failure.ts';
import { callFrom } from './read-arguments.ts';
import { misspeltVariables } from './config/misspelt-variables.ts';

callFrom(process.env['INIT_CWD']);
const shell = { ...process.env };
// Variables that are set already take precedence.
if (existsSync('.env')) process.loadEnvFile('.env');

const args = process.argv.slice(2);
try {
  await runCommand({
    args,
    config: (overrides) => readConfig(process.env, overrides, shell),
    service: process.env['SERVICE_API_BASE'],
    warnOfMisspelt: (write) => misspeltVariables(process.env).forEach(write),
  });
} catch (error) {
  const { name } = splitArguments(args);
  endWithFailure(error, name === 'serve' ? 'cannot start' : `cannot run ${name}`);
}
