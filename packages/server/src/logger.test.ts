import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LONGEST_TEXT } from './log-text.ts';
import { createLogger, type LoggerOptions } from './logger.ts';

const run = promisify(execFile);

let dataDir: string;
let folder: string;
let shown: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-log-'));
  folder = join(dataDir, 'logs', 'headwater');
  shown = '';
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function logger(options: LoggerOptions & { readonly isTTY?: boolean } = {}): ReturnType<typeof createLogger> {
  const { isTTY = false, ...rest } = options;
  const write = (text: string): void => void (shown += text);
  return createLogger('info', dataDir, { output: { isTTY, write }, ...rest });
}

const logged = (): Promise<string> => readFile(join(folder, 'headwater.log'), 'utf8');

/** Characters that control a terminal, break a line, or are invisible. */
const STEERING = /[^\P{Cc}\n]|[\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const HOSTILE = 'a\nb\r\n{"level":"info","msg":"forged"}\u001b[2J\u009b31m\u2028c\u202ed\u0000\u{e0041}';

describe('a line', () => {
  it('is the same JSON on stdout and in the file', async () => {
    logger().info({ path: '/x', status: 200 }, 'request');
    expect(JSON.parse(shown)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'headwater',
      path: '/x',
      status: 200,
      msg: 'request',
    });
    expect(await logged()).toBe(shown);
  });

  it.each([false, true])('stays one line with any content, on a terminal: %s', async (isTTY) => {
    logger({ isTTY }).error({ name: HOSTILE, [HOSTILE]: 1, deep: { list: [HOSTILE] } }, HOSTILE);
    for (const text of [shown, await logged()]) {
      expect(text.split('\n')).toHaveLength(2);
      expect(text).not.toMatch(STEERING);
    }
    expect(JSON.parse(await logged())).toMatchObject({ name: HOSTILE, msg: HOSTILE, deep: { list: [HOSTILE] } });
  });

  it('has a limited length, with the number of omitted characters', async () => {
    const long = 'x'.repeat(60_000);
    const error = new Error(long, { cause: new Error(long) });
    logger().error(
      { path: long, [long]: 1, deep: [{ long }], many: Array.from({ length: 1000 }, () => 'y'), error },
      long,
    );
    const line = JSON.parse(await logged()) as Record<string, string>;
    expect(line['path']).toHaveLength(LONGEST_TEXT + `… (${60_000 - LONGEST_TEXT} more)`.length);
    expect(line['path']).toContain(`(${60_000 - LONGEST_TEXT} more)`);
    expect(shown.length).toBeLessThan(12 * LONGEST_TEXT);
  });

  it('of a cyclic object is finite', () => {
    const endless: Record<string, unknown> = { id: 1n };
    endless['itself'] = endless;
    logger().info({ endless, date: new Date(0), none: undefined }, 'round');
    expect(JSON.parse(shown)).toMatchObject({
      endless: { id: '1', itself: { id: '1' } },
      date: '1970-01-01T00:00:00.000Z',
    });
  });

  it('contains an error with its cause, and no secret', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    logger().error({ error, password: 'p1', user: { password: 'p2', authorization: 'p3' }, access: 'p4' }, 'failed');
    expect(JSON.parse(shown)).toMatchObject({
      error: { message: 'outer', stack: expect.stringContaining('logger.test'), cause: { message: 'inner' } },
    });
    expect(shown).not.toMatch(/p[1-4]"/);
  });
});

describe('on a terminal', () => {
  const request = (status: number, ms: number): object => ({ requestId: 'r1', method: 'GET', path: '/x', status, ms });

  it('lines are readable, and only failed and slow requests are shown', async () => {
    const log = logger({ isTTY: true });
    log.info({ address: 'http://localhost:8000', note: 'two words' }, 'listening');
    log.info({ ...request(200, 3.2) }, 'request');
    log.info({ ...request(304, 3.2) }, 'request');
    log.info({ ...request(404, 3.2) }, 'request');
    log.info({ ...request(200, 1500) }, 'request');
    const time = String.raw`\d\d:\d\d:\d\d`;
    expect(shown.trimEnd().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${time} listening address=http://localhost:8000 note="two words"$`)),
      expect.stringMatching(new RegExp(`^${time} GET /x 404 in 3.2 ms requestId=r1$`)),
      expect.stringMatching(new RegExp(`^${time} GET /x 200 in 1500 ms requestId=r1$`)),
    ]);
    expect((await logged()).trimEnd().split('\n')).toHaveLength(5);
  });

  it('each line of a stack trace begins with a bar for any text of the message', () => {
    logger({ isTTY: true }).error(
      { error: new Error('first\n12:00:00 forged\nlast', { cause: new Error('deeper') }) },
      'failed',
    );
    const [first, ...rest] = shown.trimEnd().split('\n');
    expect(first).toMatch(/^\d\d:\d\d:\d\d ERROR failed$/);
    expect(rest.length).toBeGreaterThan(3);
    expect(shown).toContain('    | caused by: Error: deeper');
    for (const line of rest) expect(line).toMatch(/^ {4}\| /);
  });

  it("LOG_FORMAT overrides the terminal's default", () => {
    logger({ isTTY: true, format: 'json' }).info({}, 'one');
    expect(JSON.parse(shown)).toMatchObject({ msg: 'one' });
    shown = '';
    logger({ isTTY: false, format: 'human' }).info({}, 'two');
    expect(shown).toMatch(/^\d\d:\d\d:\d\d two\n$/);
  });
});

describe('the file', () => {
  const modes = async (): Promise<readonly string[]> =>
    Promise.all(
      [folder, join(folder, 'headwater.log')].map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
    );

  it('is readable for its owner and group only, even if it existed before with other permissions', async () => {
    logger().info({}, 'one');
    expect(await modes()).toEqual(['750', '640']);
    await chmod(folder, 0o755);
    await chmod(join(folder, 'headwater.log'), 0o644);
    logger().info({}, 'two');
    expect(await modes()).toEqual(['750', '640']);
  });

  it('is rotated; the size and the number of files are limited', async () => {
    const log = logger({ fileBytes: 4000, files: 3 });
    for (let index = 0; index < 200; index += 1) log.info({ index }, 'a line of some length, to fill files');
    const names = await readdir(folder);
    expect(names).toHaveLength(3);
    const texts = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')));
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
    // Sorted, the name of the current file comes first, then the renamed files from the oldest to the newest. Together
    // they contain the newest lines without a gap.
    const [present = '', ...earlier] = texts;
    const lines = [...earlier, present]
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { index: number }).index);
    expect(lines).toEqual(Array.from({ length: lines.length }, (_, at) => 200 - lines.length + at));
  });

  it('is created again if another process has renamed it', async () => {
    const log = logger({ fileBytes: 400, files: 9 });
    log.info({}, 'one');
    await rename(join(folder, 'headwater.log'), join(folder, 'moved'));
    log.info({ filler: 'x'.repeat(300) }, 'two');
    expect(await logged()).toContain('two');
  });

  it('loses no line of processes that share it', async () => {
    const lines = 400;
    const script = `
      const { LogFile } = await import(${JSON.stringify(new URL('./log-file.ts', import.meta.url).href)});
      const file = new LogFile({ path: ${JSON.stringify(join(folder, 'headwater.log'))}, maxBytes: 2000, files: 1000 });
      for (let index = 0; index < ${lines}; index += 1) file.write(process.pid + ' ' + index + ' ' + 'x'.repeat(40) + '\\n');
      console.log(process.pid);
    `;
    const args = ['--conditions=@headwater/source', '--input-type=module', '--eval', script];
    const pids = await Promise.all([1, 2, 3].map(async () => (await run(process.execPath, args)).stdout.trim()));
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    const found = texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/ x+$/, ''));
    const wanted = pids.flatMap((pid) => Array.from({ length: lines }, (_, index) => `${pid} ${index}`));
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  it('does not stop logging if it cannot be written', async () => {
    await mkdir(join(dataDir, 'logs'), { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    logger().info({}, 'still shown');
    expect(shown).toContain('still shown');
  });
});
