import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMarkers, RESULT_END, RESULT_START } from '@headwater/orchestrator-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, HEADWATER, missingPython, python, SHIM } from './python.fixture.ts';

const missing = missingPython();
if (missing !== undefined) console.warn(`skipped: the Python shim: ${missing}`);

const LIST = { algorithms: [{ name: 'echo', parameters: [{ name: 'job_id' }, { name: 'state' }, { name: 'year' }] }] };
/** Program that the tests run instead of Headwater. It prints its input, or behaves as its parameters request. */
const COMMAND = `
const { text } = require('node:stream/consumers');
const [, name] = process.argv.slice(2);
const block = (value) => '${RESULT_START}\\n' + JSON.stringify(value) + '\\n${RESULT_END}\\n';
if (name === '--list') process.stdout.write(block(${JSON.stringify(LIST)}));
else text(process.stdin).then((sent) => {
  const given = JSON.parse(sent);
  process.stderr.write('computing\\u00e9\\n');
  if (given.endless) for (const stream of [process.stdout, process.stderr]) {
    for (let at = 0; at < given.endless; at++) stream.write('x'.repeat(1000000));
    stream.write('\\n');
  }
  if (given.noise) process.stdout.write('a library printed this\\n');
  if (given.fails) { process.stderr.write('headwater.RunFailedError: no scenes\\n'); process.exit(given.fails); }
  if (given.blocks === 0) return;
  const result = { status: 'success', name, args: process.argv.slice(2), given, big: 'x'.repeat(given.size ?? 0) };
  if (given.lines) process.stdout.write('${RESULT_START}' + '\\n'.repeat(given.lines));
  process.stdout.write(block(given.broken ? undefined : result) + (given.blocks === 2 ? block(result) : ''));
});
`;

let folder: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-shim-'));
  await writeFile(join(folder, 'command.cjs'), COMMAND);
  env = { HEADWATER_COMMAND: `'${process.execPath}' '${join(folder, 'command.cjs')}'` };
});
afterAll(() => rm(folder, { recursive: true }));

const cli = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  python([SHIM, ...args], { ...env, ...more });
const lastLine = ({ stderr }: Ended): string | undefined => stderr.trim().split('\n').at(-1);

describe.skipIf(missing !== undefined)('python cli.py', () => {
  it('prints one block and, as the last line, the JSON of its result; prints the log on stderr', async () => {
    const ended = await cli(['echo', '--state', 'Nadi "A" $x;', '--year=2022', '--noise', '1', '--job_id', 'None']);
    expect(ended.code).toBe(0);
    // The order is not defined, because the lines come from stdout and stderr.
    expect(ended.stderr.split('\n').toSorted()).toEqual(['', 'a library printed this', 'computingé']);
    const result = await parseMarkers([ended.stdout]);
    const given = { state: 'Nadi "A" $x;', year: '2022', noise: '1' };
    expect(result).toMatchObject({ kind: 'result', value: { status: 'success', name: 'echo', given } });
    // Parameters are not arguments, because other users of the machine could read arguments.
    expect(result).toMatchObject({ value: { args: ['run-algorithm', 'echo', '--parameters', '-'] } });
    const lines = ended.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect({ kind: 'result', value: JSON.parse(lines.at(-1) ?? '') }).toEqual(result);
  });

  it('reads parameters as JSON from the environment', async () => {
    const PARAMETERS = JSON.stringify({ region: [1, 2, 3, 4], state: "O'Hara", none: null });
    const ended = await cli(['echo', '--parameters-env', 'PARAMETERS'], { PARAMETERS });
    expect(await parseMarkers([ended.stdout])).toMatchObject({
      value: { given: { region: [1, 2, 3, 4], state: "O'Hara" } },
    });
  });

  it('does not end the block at a text that looks like a marker', async () => {
    const { stdout } = await cli(['echo', '--state', RESULT_END]);
    expect(await parseMarkers([stdout])).toMatchObject({ kind: 'result', value: { given: { state: RESULT_END } } });
  });

  it('passes on a result of many megabytes', async () => {
    const { code, stdout } = await cli(['echo', '--parameters-env', 'P'], { P: JSON.stringify({ size: 20_000_000 }) });
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(40_000_000);
    expect(await parseMarkers([stdout])).toMatchObject({ kind: 'result' });
  });

  it.each([
    [['echo', '--fails', '3'], 1, 'headwater.RunFailedError: no scenes'],
    [['echo', '--parameters-env', 'ZERO'], 1, /AlgorithmError: the command printed no result between/],
    [['echo', '--parameters-env', 'TWO'], 1, /AlgorithmError: the command printed 2 results/],
    [['echo', '--broken', '1'], 1, /AlgorithmError: the printed result is not JSON/],
    [['echo', '--year'], 2, /UsageError: --year has no value/],
    [['echo', 'year'], 2, /UsageError: 'year' is not a parameter/],
    [['echo', '--=3'], 2, /UsageError: '--=3' names no parameter/],
    [['--year', '1'], 2, /UsageError: NAME is missing/],
    [
      ['echo', '--parameters-env', 'NOTHING'],
      2,
      /UsageError: --parameters-env: the variable NOTHING does not contain a JSON object/,
    ],
  ])('%j ends with exit code %d and the reason in the last line of stderr', async (args, code, line) => {
    const ended = await cli(args, { ZERO: '{"blocks":0}', TWO: '{"blocks":2}' });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(lastLine(ended)).toMatch(line);
  });

  it('reports a command that cannot be parsed', async () => {
    const ended = await cli(['echo'], { HEADWATER_COMMAND: 'a "b' });
    expect([ended.code, ended.stderr.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(
          /AlgorithmError: HEADWATER_COMMAND: 'a "b' is not a valid shell command .*close each quotation mark$/,
        ),
      ],
    ]);
  });

  it('reports a missing command with a remedy', async () => {
    const ended = await cli(['echo'], { HEADWATER_COMMAND: '/nowhere/headwater' });
    expect(ended.code).toBe(1);
    expect(lastLine(ended)).toMatch(
      /AlgorithmError: the command \/nowhere\/headwater cannot be run .*HEADWATER_COMMAND$/,
    );
  });
});

describe.skipIf(missing !== undefined)('the memory of headwater_algorithms', () => {
  it('holds only a limited part of a line of any length', async () => {
    const code = `
from headwater_algorithms import run_algorithm
lines = []
run_algorithm("echo", {"endless": 200}, lines.append)
# ru_maxrss would include the memory of the process that forked this one, so VmHWM is read.
peak = next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'))
print(peak, sorted(len(line) for line in lines), lines[-1][-6:])
`;
    const { stdout, stderr } = await python(['-c', code], env);
    expect(stderr).toBe('');
    const [, kilobytes, lengths] = /^(\d+) (\[.*\]) /.exec(stdout) ?? [];
    // Lengths of the line "computingé" and of two long lines, which are cut and followed by " [cut]".
    expect(lengths).toBe('[10, 65542, 65542]');
    expect(Number(kilobytes)).toBeLessThan(100_000);
  });

  it.each([
    ['in one line', '{"size": 3000}'],
    ['in many empty lines', '{"lines": 3000}'],
    ['in several blocks', '{"size": 700, "blocks": 2}'],
  ])('refuses a result that is too large %s', async (_how, given) => {
    const code = `
from headwater_algorithms import runner
runner.MOST_BYTES = 1000
runner.run_algorithm("echo", ${given})`;
    const ended = await python(['-c', code], env);
    expect(lastLine(ended)).toMatch(/AlgorithmError: the result has more than 1000 bytes: it is discarded$/);
  });
});

describe.skipIf(missing !== undefined)('headwater_algorithms.algorithms', () => {
  it('has a function for each algorithm; a call returns the result and prints nothing to stdout', async () => {
    const code = `
import inspect, json
from headwater_algorithms.algorithms import echo
given = {"state": "A", "year": 2022, "job_id": None, "unknown": 1}
# An existing runner of containers does the same: it passes only the arguments that the function names.
accepted = set(inspect.signature(echo).parameters.keys())
result = echo(**{k: v for k, v in given.items() if k in accepted})
print(json.dumps({"accepted": sorted(accepted), "given": result["given"]}))
`;
    const ended = await python(['-c', code], env);
    expect(ended).toMatchObject({ code: 0, stderr: 'computingé\n' });
    expect(JSON.parse(ended.stdout)).toEqual({
      accepted: ['execution_id', 'job_id', 'others', 'run_token', 'state', 'year'],
      given: { state: 'A', year: 2022 },
    });
  });

  it('raises an error with the last line of the output', async () => {
    const ended = await python(['-c', 'from headwater_algorithms.algorithms import echo; echo(fails=1)'], env);
    expect(ended.code).toBe(1);
    expect(lastLine(ended)).toBe('headwater_algorithms.runner.AlgorithmError: headwater.RunFailedError: no scenes');
  });

  it('refuses to import a name that is not an algorithm', async () => {
    const ended = await python(['-c', 'from headwater_algorithms.algorithms import nothing'], env);
    expect(lastLine(ended)).toMatch(/ImportError: cannot import name 'nothing'/);
  });

  it('contains the algorithms of this checkout', async () => {
    const code = `
import inspect
from headwater_algorithms.algorithms import lulc_for_tehsil
print(",".join(inspect.signature(lulc_for_tehsil).parameters))`;
    const { stdout } = await python(['-c', code], { HEADWATER_COMMAND: HEADWATER });
    expect(stdout.trim()).toBe(
      'job_id,run_token,state,district,block,start_year,end_year,eo_account_id,region,year,base_scheme,execution_id,others',
    );
  });
});
