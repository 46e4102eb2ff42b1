import { expect, it } from 'vitest';
import { sayIn } from '../../../pages/texts.ts';
import { estimateSection } from './estimate-table.ts';

const FIGURES = {
  dry_run: true,
  tehsils: 2,
  km2: 12.34,
  sampled: 2,
  lacking: 0,
  failed: [],
  scenes: null,
  bytes: null,
  requests: null,
  scene_engine: null,
  minutes: 1.5,
  memory_bytes: null,
  disk_bytes: null,
  is_measured: true,
  missing: null,
  makers: [],
} as const;

async function amountsOf(change: { readonly km2?: number; readonly minutes?: number }) {
  const figures = { ...FIGURES, ...change, failed: [], makers: [] };
  const section = String(await estimateSection({ say: sayIn('en'), language: 'en' }, { figures }));
  const rows = [...section.matchAll(/<th scope="row">([^<]+)<\/th>\s*<td>([^<]+)<\/td>/g)];
  return Object.fromEntries(rows.map(([, name = '', amount = '']) => [name, amount]));
}

it('shows unknown instead of an area of 0 km²', async () => {
  expect(await amountsOf({ km2: 0 })).toMatchObject({ Area: 'unknown' });
  expect(await amountsOf({})).toMatchObject({ Area: '12.3 km²' });
});

it('shows the time of one worker in minutes or, if it is long, in hours', async () => {
  expect(await amountsOf({})).toMatchObject({ 'Time of one worker': '2 minutes' });
  expect(await amountsOf({ minutes: 300 })).toMatchObject({ 'Time of one worker': '5.0 hours' });
});
