import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readPassword } from './read-password.ts';

function terminal(): { readonly input: PassThrough; readonly output: PassThrough; readonly raw: boolean[] } {
  const raw: boolean[] = [];
  const setRawMode = (mode: boolean): void => void raw.push(mode);
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  return { input, output: new PassThrough(), raw };
}

async function answer({ input, output }: ReturnType<typeof terminal>, prompt: string, typed: string): Promise<string> {
  let seen = '';
  while (!seen.includes(prompt)) {
    const next = output.read() as Buffer | null;
    if (next === null) await new Promise((resolve) => output.once('readable', resolve));
    else seen += next.toString();
  }
  input.write(typed);
  return seen;
}

it('asks twice on a terminal and does not show the typed text', async () => {
  const tty = terminal();
  const password = readPassword(tty);
  let seen = await answer(tty, 'Password', 'tall-rivex\x7Fr-42\r');
  seen += await answer(tty, 'Repeat', 'tall-river-42\r');
  expect(await password).toBe('tall-river-42');
  tty.output.end();
  seen += await text(tty.output);
  expect(seen).not.toMatch(/tall|river|42/);
  expect(tty.raw.at(-1)).toBe(false);
});

it('refuses two different passwords, and Ctrl-C', async () => {
  const differing = terminal();
  const refused = readPassword(differing).catch(String);
  await answer(differing, 'Password', 'tall-river-42\r');
  await answer(differing, 'Repeat', 'tall-river-43\r');
  expect(await refused).toMatch(/differ/);
  const stopped = terminal();
  const outcome = readPassword(stopped).catch(String);
  await answer(stopped, 'Password', 'tall\x03');
  expect(await outcome).toMatch(/no password was given/);
});

it.each([
  ['tall-river-42\n', 'tall-river-42'],
  ['tall-river-42', 'tall-river-42'],
  [' with blanks \r\nsecond line\n', ' with blanks '],
  ['', ''],
])('reads the first line of piped input: %j', async (piped, password) => {
  const input = new PassThrough();
  input.end(piped);
  expect(await readPassword({ input, output: new PassThrough() })).toBe(password);
});

it('releases a pipe that stays open, which would keep the process alive', async () => {
  const input = new PassThrough();
  input.write('tall-river-42\n');
  expect(await readPassword({ input, output: new PassThrough() })).toBe('tall-river-42');
  expect(input.destroyed).toBe(true);
});
