import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkers, RESULT_END, RESULT_START } from './parse-markers.ts';

/** The text in pieces of these lengths, over and over. */
function* cut(text: string, lengths: readonly number[]): Generator<string> {
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield text.slice(at, at + length);
    at += length;
  }
}

const block = (value: unknown): string => `${RESULT_START}\n${JSON.stringify(value)}\n${RESULT_END}\n`;

describe('parseMarkers', () => {
  it('finds one block of any JSON in any noise, however the output is cut', async () => {
    const noise = fc.string().map((text) => text.replaceAll('===RESULT', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.tuple(noise, noise),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (value, [before, after], lengths) => {
          fc.pre(!JSON.stringify(value).includes('==='));
          const output = `${before}\n${block(value)}${after}`;
          expect(await parseMarkers(cut(output, lengths))).toEqual({
            kind: 'result',
            value: JSON.parse(JSON.stringify(value)),
          });
        },
      ),
    );
  });

  it('reads a block whose lines a log has prefixed', async () => {
    const prefix = '[2026-11-22T03:22:52.250+0000] {docker.py:70} INFO - ';
    const lines = ['start', RESULT_START, '{"type":"Feature",', '"id":"a"}', RESULT_END, 'end'].map(
      (line) => `${prefix}${line}`,
    );
    expect(await parseMarkers([lines.join('\n')])).toEqual({ kind: 'result', value: { type: 'Feature', id: 'a' } });
  });

  it.each([
    ['none', 'only noise', /has no ===RESULT_JSON_START===/],
    ['several', block(1) + block(2), /more than one block/],
    ['broken', `${RESULT_START}\n{"a":`, /ends before/],
    ['broken', `${RESULT_START}\nnonsense\n${RESULT_END}`, /no JSON: "nonsense"/],
    ['broken', `${RESULT_START}\n{}\n${RESULT_START}\n{}\n${RESULT_END}`, /stands before the first block's end/],
    ['too_large', block('x'.repeat(200)), /more than 100 characters/],
  ])('says %s of %j', async (kind, output, problem) => {
    expect(await parseMarkers([output], { mostBlock: 100 })).toEqual({ kind, problem: expect.stringMatching(problem) });
  });

  it('holds little of an output of any size', async () => {
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    function* huge(): Generator<string> {
      for (let piece = 0; piece < 4000; piece++) {
        if (piece === 2000) yield block({ id: 'a' });
        yield `${'noise '.repeat(10_000)}${piece}`;
        most = Math.max(most, process.memoryUsage().heapUsed - before);
      }
    }
    expect(await parseMarkers(huge())).toEqual({ kind: 'result', value: { id: 'a' } });
    expect(most / 2 ** 20).toBeLessThan(150);
  });
});
