import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markedBlock } from './marked-block.ts';
import { parseMarkers, RESULT_END, RESULT_START } from './parse-markers.ts';

describe('markedBlock', () => {
  it('has three lines and is read back unchanged, whatever texts the result has', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(RESULT_START, RESULT_END, '====RESULT_JSON_', '\u2028'),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, fc.oneof(text, fc.array(text), fc.integer())), async (result) => {
        const block = markedBlock(result);
        expect(block.split('\n')).toHaveLength(4);
        expect(await parseMarkers(['noise\n', block, 'noise'])).toEqual({
          kind: 'result',
          value: JSON.parse(JSON.stringify(result)),
        });
      }),
    );
  });
});
