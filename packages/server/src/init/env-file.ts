import { open, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { randomBytes } from 'node:crypto';
import { errorCode } from '@headwater/core';
import { ConfigError } from '../config/config-error.ts';
import { type Environment, VARIABLES } from '../config/read-config.ts';

/**
 * Sets variables in a file such as `.env`, which only its owner can read afterwards. Replaces a line with an empty
 * value, and keeps all others. Throws `ConfigError` if a variable already has another value.
 */
export async function setVariables(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const text = await readText(path);
  const known = parseEnv(text);
  let lines = text.split('\n');
  for (const [name, value] of Object.entries(variables)) {
    const found = known[name] ?? '';
    if (found === value) continue;
    if (found !== '')
      throw new ConfigError(
        `${name}: ${path} has another value already; change or remove it there, then call init again.`,
      );
    const line = `${name}=${quoted(name, value)}`;
    const isOf = (each: string): boolean => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(each);
    // Of a repeated variable, the last line is used.
    const at = lines.findLastIndex(isOf);
    lines = at >= 0 ? lines.with(at, line) : [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), line, ''];
  }
  await writePrivate(path, lines.join('\n'));
}

/** Not needed by a start after `init`, or only by other programs. */
const NOT_NEEDED = new Set(['SUPERUSER_PASSWORD', 'HEADWATER_PASSWORD', 'BACKEND_CODE_DIR']);

/** Names of settings in the shell that the file of settings does not set to the same value. */
export function onlyInShell(shell: Environment, envFile: string): readonly string[] {
  const written: Environment = parseEnv(envFile);
  return VARIABLES.filter((name) => !NOT_NEEDED.has(name))
    .filter((name) => (shell[name] ?? '') !== '' && shell[name] !== written[name])
    .toSorted();
}

/** Text of a file; '' if there is none. */
export async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return '';
  });
}

/** Writes a file that only its owner can read (mode 0600), by a rename. A link to a file stays a link. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const target = await targetOf(path);
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The end of a link may not exist yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch((error: unknown) => {
    if (['EINVAL', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
  return link === undefined ? path : await targetOf(resolve(await realpath(dirname(path)), link));
}

/**
 * So that Node's parser of `.env` reads the value. Throws `ConfigError` for a line break, or every kind of quotation
 * mark.
 */
function quoted(name: string, value: string): string {
  if (/^[\w./:@%+,=?&~-]*$/.test(value)) return value;
  const mark = [`'`, '`', '"'].find((each) => !value.includes(each));
  if (mark === undefined || /[\r\n]/.test(value) || (mark === '"' && value.includes('\\')))
    throw new ConfigError(
      `${name}: the value has line breaks or every kind of quotation mark; set it in the environment.`,
    );
  return `${mark}${value}${mark}`;
}
