import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { itemForm } from './item-form.ts';

/**
 * If this test fails, raise `EDITION` in `item-form.ts`, and update the expected values here. Otherwise stores would
 * keep outdated texts.
 */
it('the text of an Item changes only together with the edition in the name of its form', () => {
  const { name, text } = itemForm({ publication: { license: 'CC-BY-4.0', providers: 'service' } });
  const item = { type: 'Feature', properties: { title: 'Slope' }, links: [], assets: {} };
  const written = text({ collectionPath: 'assam/cachar/lakhipur', id: 'slope', version: 1, runId: 'run', item });
  expect(written).toContain('"rel":"self"');
  const digest = createHash('sha256').update(written).digest('hex').slice(0, 12);
  expect([name.split('-')[2], digest]).toEqual(['3', 'd259ba85bd62']);
});

it('a service with a map server has a form with another name, because its texts link to maps', () => {
  const capabilities = { wfs: [], wcs: [], wms: ['1.3.0'], features: true, tiles: true, cqlFilter: true, styles: [] };
  const drawing = itemForm({ mapServer: { capabilities } });
  expect(drawing.name).not.toBe(itemForm().name);
  expect(itemForm({ mapServer: { capabilities: { ...capabilities, wms: [] } } }).name).not.toBe(drawing.name);
});
