import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { ConfigError } from './config/read-config.ts';

/** Input of a password, and output of the prompt: standard input and standard error. */
export interface PasswordStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

/**
 * Reads a password. On a terminal the user types the password twice, and it is not shown. Otherwise the password is the first line of the
 * input; it is empty if the input is empty. Throws `ConfigError` if the two typed passwords differ or the input is cancelled.
 */
export async function readPassword({ input, output }: PasswordStreams): Promise<string> {
  if (input.isTTY !== true) {
    const [line = ''] = await readLines({ input, output: silence() }, ['']);
    // The input is closed, because an open pipe would prevent the end of this process.
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

/** Reads a line from a terminal without showing it. Throws `ConfigError` if the input is cancelled. */
export async function readHidden({ input, output }: PasswordStreams, prompt: string): Promise<string> {
  const [line] = await readLines({ input, output }, [prompt]);
  if (line === undefined) throw new ConfigError('no password was given; call again to continue.');
  return line;
}

/** Reads one line per prompt; fewer if the input ends or Ctrl-C is pressed. */
async function readLines({ input, output }: PasswordStreams, prompts: readonly string[]): Promise<readonly string[]> {
  // In terminal mode readline handles corrections, and writes the typed characters to its output. This output is discarded, so that they
  // are not shown.
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
