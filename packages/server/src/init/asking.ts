import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { isObject } from '@headwater/core/values';
import { ConfigError } from '../config/config-error.ts';
import { readText, writePrivate } from './env-file.ts';

/** Question of `headwater init`. */
export interface Question {
  /** Name of the option that answers the question, without `--`. */
  readonly flag: string;
  readonly text: string;
  /** Answer of `--yes`, and of an empty line. */
  readonly fallback: string;
  /** Returns the reason why an answer is refused; undefined if it is accepted. */
  readonly problem?: (answer: string) => string | undefined;
}

/** Sources of answers. */
export interface Asking {
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** True (`--yes`): a question without an option or an earlier answer gets the answer `fallback`. */
  readonly takesDefaults: boolean;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  readonly record: InitRecord;
}

/**
 * Answer from the first of: the option, an earlier call, `--yes`, the user. The user is asked until an answer is
 * accepted. Throws `ConfigError` if an answer from another source is refused, or if the user cannot be asked because
 * there is no terminal.
 */
export async function answerTo(question: Question, asking: Asking): Promise<string> {
  const { flag, fallback, text, problem = () => undefined } = question;
  const given = asking.flags[flag] ?? asking.record.answerOf(flag) ?? (asking.takesDefaults ? fallback : undefined);
  if (given !== undefined) {
    const reason = problem(given);
    if (reason !== undefined) throw new ConfigError(`--${flag}: ${reason}`);
    return given;
  }
  if (asking.input.isTTY !== true)
    throw new ConfigError(
      `--${flag}: is needed, because there is no terminal to ask: ${text}. --yes takes all defaults.`,
    );
  for (;;) {
    const line = (await typed(`${text}${fallback === '' ? '' : ` [${fallback}]`}: `, asking)).trim();
    const answer = line === '' ? fallback : line;
    const reason = problem(answer);
    if (reason === undefined) return answer;
    asking.output.write(`  ${reason}\n`);
  }
}

async function typed(prompt: string, { input, output }: Asking): Promise<string> {
  const lines = createInterface({ input, output, terminal: true });
  const stop = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) lines.once(event, () => stop.abort());
  try {
    return await lines.question(prompt, { signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new ConfigError('stopped. Finished steps stay; call init again to continue.');
  } finally {
    lines.close();
  }
}

/** File with the answers and finished steps of earlier calls. It contains no secrets. */
export class InitRecord {
  readonly #path: string;
  readonly #entries: Map<string, string>;

  private constructor(path: string, entries: Map<string, string>) {
    this.#path = path;
    this.#entries = entries;
  }

  /** Reads the record. A file that is not JSON counts as empty. */
  static async read(path: string): Promise<InitRecord> {
    const entries = new Map<string, string>();
    const found = jsonOf(await readText(path));
    if (isObject(found))
      for (const [name, value] of Object.entries(found)) if (typeof value === 'string') entries.set(name, value);
    return new InitRecord(path, entries);
  }

  answerOf(flag: string): string | undefined {
    return this.#entries.get(flag);
  }

  /** Stores these answers, and keeps the answers to other questions. */
  async store(answers: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(answers)) this.#entries.set(name, value);
    await writePrivate(this.#path, `${JSON.stringify(Object.fromEntries(this.#entries), undefined, 2)}\n`);
  }

  isDone(step: string, answer: string): boolean {
    return this.#entries.get(`${step} done`) === answer;
  }

  async finish(step: string, answer: string): Promise<void> {
    await this.store({ [step]: answer, [`${step} done`]: answer });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
