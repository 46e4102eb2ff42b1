import { open, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { randomBytes } from 'node:crypto';
import { errorCode } from '@headwater/core';
import { ConfigError } from '../config/config-error.ts';
import { type Environment, VARIABLES } from '../config/read-config.ts';

/**
 * Sets variables in a file such as `.env`, which only its owner can read afterwards. Replaces an empty value of a
 * variable. Throws `ConfigError` if a variable already has another value.
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
    // If a variable occurs twice, Node uses its last line, so this line is replaced.
    const at = lines.findLastIndex(isOf);
    lines = at >= 0 ? lines.with(at, line) : [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), line, ''];
  }
  await writePrivate(path, lines.join('\n'));
}

/** Settings that a start after `init` does not need. */
const NOT_NEEDED = new Set(['SUPERUSER_PASSWORD', 'HEADWATER_PASSWORD', 'BACKEND_CODE_DIR']);

/** Names of settings that are only in the shell, or have another value in the shell than in the text of a file. */
export function onlyInShell(shell: Environment, envText: string): readonly string[] {
  const written: Environment = parseEnv(envText);
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

/** Writes a file that only its owner can read (mode 0600). The file is never incomplete, and a link stays a link. */
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

/** Path of the file to which a link leads, which may not exist yet. A path that is no link is returned unchanged. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch((error: unknown) => {
    if (['EINVAL', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
  return link === undefined ? path : await targetOf(resolve(await realpath(dirname(path)), link));
}

/**
 * Quotes a value for Node's parser of `.env`. Throws `ConfigError` for a line break, or if no quotation mark can be
 * used: the value contains each of them, or a backslash and all except `"`.
 */
function quoted(name: string, value: string): string {
  if (/^[\w./:@%+,=?&~-]*$/.test(value)) return value;
  const mark = [`'`, '`', '"'].find((each) => !value.includes(each));
  if (mark === undefined || /[\r\n]/.test(value) || (mark === '"' && value.includes('\\')))
    throw new ConfigError(
      `${name}: the value cannot be quoted in this file, because of its line breaks, quotation marks or backslashes; set it in the environment.`,
    );
  return `${mark}${value}${mark}`;
}
