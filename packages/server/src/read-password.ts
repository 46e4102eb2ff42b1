import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { ConfigError } from './config/read-config.ts';

/** Input of a password, and output of the prompt. */
export interface PasswordStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

/**
 * Reads a password: twice from a terminal, otherwise the first line. Throws `ConfigError` for different passwords or
 * cancelled input.
 */
export async function readPassword({ input, output }: PasswordStreams): Promise<string> {
  if (input.isTTY !== true) {
    const [line = ''] = await readLines({ input, output: silence() }, ['']);
    // An open pipe would keep the process alive.
    input.destroy();
    return line;
  }
  const prompts = ['Password (empty: a random one is generated): ', 'Repeat the password: '];
  const [password, again] = await readLines({ input, output }, prompts);
  if (password === undefined || again === undefined)
    throw new ConfigError('no password was given; nothing is changed.');
  if (password !== again) throw new ConfigError('the two passwords differ; nothing is changed, try again.');
  return password;
}

/** Reads a hidden line from a terminal. Throws `ConfigError` if the input is cancelled. */
export async function readHidden({ input, output }: PasswordStreams, prompt: string): Promise<string> {
  const [line] = await readLines({ input, output }, [prompt]);
  if (line === undefined) throw new ConfigError('no password was given; call the command again to continue.');
  return line;
}

async function readLines({ input, output }: PasswordStreams, prompts: readonly string[]): Promise<readonly string[]> {
  // In terminal mode, readline handles corrections. Its echo is discarded, because the password must not be shown.
  const lines = createInterface({ input, output: silence(), terminal: input.isTTY === true });
  const closed = once(lines, 'close');
  const read: string[] = [];
  const prompt = (): void => void output.write(prompts[read.length] ?? '');
  lines.on('line', (line) => {
    if (read.length === prompts.length) return;
    read.push(line);
    output.write('\n');
    if (read.length === prompts.length) lines.close();
    else prompt();
  });
  prompt();
  await closed;
  return read;
}

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
