import { readFile } from 'node:fs/promises';

/** The version on top of the VERSION file. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../../VERSION', import.meta.url), 'utf8');
  return text.split(/\s/, 1)[0] ?? '0.0.0';
}
