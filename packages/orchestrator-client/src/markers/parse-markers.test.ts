import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkers, RESULT_END, RESULT_START } from './parse-markers.ts';

function* cut(text: string, lengths: readonly number[]): Generator<string> {
  for (let at = 0, index = 0; at < text.length; index++) {
    const length = lengths[index % lengths.length] ?? 1;
    yield text.slice(at, at + length);
    at += length;
  }
}

const block = (value: unknown): string => `${RESULT_START}\n${JSON.stringify(value)}\n${RESULT_END}\n`;

describe('parseMarkers', () => {
  it('finds one block of any JSON within any other output, for any pieces of the output', async () => {
    const noise = fc.string().map((text) => text.replaceAll('===RESULT', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.tuple(noise, noise),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (value, [before, after], lengths) => {
          const output = `${before}\n${block(value)}${after}`;
          expect(await parseMarkers(cut(output, lengths))).toEqual({
            kind: 'result',
            value: JSON.parse(JSON.stringify(value)),
          });
        },
      ),
    );
  });

  it.each([
    ['Airflow 2', '[2026-11-22T03:22:52.250+0000] {docker.py:70} INFO - '],
    ['Airflow 3', '[2026-11-22T03:22:52.250Z] INFO - '],
    ['Airflow 3 without a level', '[2026-11-22T03:22:52.250Z] '],
    ['a pod', '[2026-11-22T03:22:52.250+0000] {pod_manager.py:418} INFO - [base] '],
    ['a terminal', '\u001B[32m'],
  ])('reads a block of lines with the prefix of %s, for any pieces of the output', async (_name, prefix) => {
    const lines = ['start', RESULT_START, '{"type":"Feature",', '"id":"a"}', RESULT_END, 'end'].map(
      (line) => `${prefix}${line}`,
    );
    for (const length of [1, 7, 30, 1e6])
      expect(await parseMarkers(cut(lines.join('\n'), [length]))).toEqual({
        kind: 'result',
        value: { type: 'Feature', id: 'a' },
      });
  });

  it.each([
    ['a progress bar that has not ended its line', `${'50% |#####     |\r'.repeat(200)}${block({ a: 1 })}`],
    ['a byte order mark', `\uFEFF${block({ a: 1 })}`],
    ['blanks', `  ${RESULT_START}\n  {"a":1}\n\t${RESULT_END}\n`],
  ])('finds a marker after %s, for any pieces of the output', async (_name, output) => {
    for (const length of [1, 7, 500, 1e6])
      expect(await parseMarkers(cut(output, [length]))).toEqual({ kind: 'result', value: { a: 1 } });
  });

  const long = 'x'.repeat(3000);
  it.each([
    [
      'the command that prints it',
      `Running command: ['bash', '-c', "print('${RESULT_START}'); print('${RESULT_END}')"]`,
    ],
    ['a shell that prints its commands', `+ echo ${RESULT_START}\n+ echo ${RESULT_END}`],
    ['words after it', `${RESULT_START} comes soon`],
    ['a long line that ends with it', `${long}${RESULT_START}`],
    ['a long line that begins with it', `${RESULT_START}${long}`],
  ])('ignores a marker on a line with other text: %s', async (_name, line) => {
    for (const length of [1, 500, 1e6]) {
      const around = `${line}\n${block({ a: 1 })}${line}\n`;
      expect(await parseMarkers(cut(around, [length]))).toEqual({ kind: 'result', value: { a: 1 } });
      expect(await parseMarkers(cut(line, [length]))).toMatchObject({ kind: 'none' });
    }
  });

  it('reads the bytes of a process, in pieces of any length', async () => {
    const bytes = new TextEncoder().encode(`noise\n${block({ title: 'भूमि é 🌾' })}`);
    for (const length of [1, 2, 3, 1e6]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.subarray(at * length, (at + 1) * length),
      );
      expect(await parseMarkers(pieces)).toEqual({ kind: 'result', value: { title: 'भूमि é 🌾' } });
    }
  });

  it('reads a result whose texts contain the markers, in compact and in indented JSON', async () => {
    const value = { a: RESULT_END, b: `${RESULT_START}\n${RESULT_END}` };
    expect(await parseMarkers([block(value)])).toEqual({ kind: 'result', value });
    expect(
      await parseMarkers([JSON.stringify(value, null, 2).replace(/^/, `${RESULT_START}\r\n`), `\r\n${RESULT_END}\r\n`]),
    ).toEqual({ kind: 'result', value });
  });

  it('stays fast for a long line of markers', async () => {
    const began = performance.now();
    expect(await parseMarkers([RESULT_START.repeat(200_000)])).toMatchObject({ kind: 'none' });
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it.each([
    ['none', 'only noise', /has no line ===RESULT_JSON_START===/],
    ['several', block(1) + block(2), /more than one result between markers/],
    ['broken', `${RESULT_START}\n{"a":`, /ends before/],
    ['broken', `${RESULT_START}\nnonsense\n${RESULT_END}`, /not JSON: "nonsense"/],
    ['broken', `${RESULT_START}\n{}\n${RESULT_START}\n{}\n${RESULT_END}`, /precedes the end of the first result/],
    ['too_large', block('x'.repeat(200)), /more than 100 characters/],
  ])('reports %s for %j', async (kind, output, problem) => {
    expect(await parseMarkers([output], { mostBlock: 100 })).toEqual({ kind, problem: expect.stringMatching(problem) });
  });

  it('uses little memory for output of any size', async () => {
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    function* huge(): Generator<string> {
      for (let piece = 0; piece < 4000; piece++) {
        if (piece === 2000) yield `\n${block({ id: 'a' })}`;
        yield `${'noise '.repeat(10_000)}${piece}`;
        most = Math.max(most, process.memoryUsage().heapUsed - before);
      }
    }
    expect(await parseMarkers(huge())).toEqual({ kind: 'result', value: { id: 'a' } });
    expect(most / 2 ** 20).toBeLessThan(150);
  });
});
