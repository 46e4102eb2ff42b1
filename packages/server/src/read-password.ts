import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { ConfigError } from './config/read-config.ts';

/** Where a password comes from and where it is asked for: standard input and standard error. */
export interface PasswordStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

/**
 * Reads a password: asked for twice on a terminal, which shows nothing of it; else the first line that is piped in. Empty where none
 * is given. Throws `ConfigError` where the two differ or the question is broken off.
 */
export async function readPassword({ input, output }: PasswordStreams): Promise<string> {
  if (input.isTTY !== true) {
    const [line = ''] = await readLines({ input, output: silence() }, ['']);
    // A pipe that its writer keeps open would keep this process alive.
    input.destroy();
    return line;
  }
  const prompts = ['Password (empty: one is made for you): ', 'The same again: '];
  const [password, again] = await readLines({ input, output }, prompts);
  if (password === undefined || again === undefined)
    throw new ConfigError('no password was given; nothing is changed.');
  if (password !== again) throw new ConfigError('the two passwords differ; nothing is changed, try again.');
  return password;
}

/** One line for each prompt; fewer where the input ends or Ctrl-C comes first. */
async function readLines({ input, output }: PasswordStreams, prompts: readonly string[]): Promise<readonly string[]> {
  // As a terminal readline understands corrections and echoes into `output` of its own: into nothing.
  const lines = createInterface({ input, output: silence(), terminal: input.isTTY === true });
  const closed = once(lines, 'close');
  const read: string[] = [];
  const ask = (): void => void output.write(prompts[read.length] ?? '');
  lines.on('line', (line) => {
    if (read.length === prompts.length) return;
    read.push(line);
    output.write('\n');
    if (read.length === prompts.length) lines.close();
    else ask();
  });
  ask();
  await closed;
  return read;
}

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
