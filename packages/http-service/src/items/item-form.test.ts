import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { itemForm } from './item-form.ts';

/** Raise the edition in `item-form.ts` with each change of the text, and write both here: else stores keep texts that no server writes any more. */
it('has another edition wherever it writes another text', () => {
  const { name, text } = itemForm();
  const item = { type: 'Feature', properties: { title: 'Slope' }, links: [], assets: {} };
  const written = text({ collectionPath: 'assam/cachar/lakhipur', id: 'slope', version: 1, runId: 'run', item });
  expect(written).toContain('"rel":"self"');
  const digest = createHash('sha256').update(written).digest('hex').slice(0, 12);
  expect([name.split('-')[2], digest]).toEqual(['3', 'd259ba85bd62']);
});
