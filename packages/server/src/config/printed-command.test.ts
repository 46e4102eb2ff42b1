import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { printedCommand } from './printed-command.ts';

function run(line: string, env: Readonly<Record<string, string>> = {}): string {
  const script = `npx() { printf '%s|' "$DATA_DIR" "$DB_HOST" "$DB_PASSWORD" "$BOUNDARY_DATA_URL" "$@"; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env });
}

it('a printed command uses the data folder of the start, from any folder', () => {
  const line = printedCommand({ DATA_DIR: "it's here", DB_HOST: '' }, 'change-password --username asha');
  expect(run(line)).toBe(`${resolve("it's here")}||||headwater|change-password|--username|asha|`);
});

it('a printed command contains no variable if the shell of the start had set none', () => {
  expect(printedCommand({}, 'worker')).toBe('npx headwater worker');
});

it('a printed command names the database, and takes secrets from the shell', () => {
  const shell = { DB_HOST: 'db.example', DB_PASSWORD: 's3cret', BOUNDARY_DATA_URL: 'https://x/?key=s3cret' };
  const line = printedCommand(shell, 'download-boundaries');
  expect(line).not.toContain('s3cret');
  expect(run(line, { DB_PASSWORD: 'typed', BOUNDARY_DATA_URL: 'https://x/' })).toBe(
    '|db.example|typed|https://x/|headwater|download-boundaries|',
  );
  expect(() => run(line)).toThrow('DB_PASSWORD: set it first');
  expect(printedCommand(shell, 'worker')).not.toContain('BOUNDARY');
});

it('a printed command names only the data folder if it needs no database', () => {
  const shell = { DATA_DIR: '/data', DB_HOST: 'db.example', DB_PASSWORD: 's3cret' };
  expect(printedCommand(shell, 'check-data')).toBe('DATA_DIR=/data npx headwater check-data');
  expect(printedCommand(shell, 'make-catalog /eo')).toBe('DATA_DIR=/data npx headwater make-catalog /eo');
});
