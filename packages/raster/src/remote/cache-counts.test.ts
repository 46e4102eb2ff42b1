import { expect, it } from 'vitest';
import type { CacheCounts } from './block-cache.ts';
import { shareCounts, watchBlockCache } from './cache-counts.ts';

it('the counts of a reader are reported until `end` is called; counts that are all 0 are not reported', async () => {
  const reports: CacheCounts[] = [];
  const end = watchBlockCache((counts) => void reports.push(counts));
  const counts = { hits: 1, hitBytes: 100, misses: 2, missBytes: 200 };
  shareCounts({ hits: 0, hitBytes: 0, misses: 0, missBytes: 0 });
  shareCounts(counts);
  await expect.poll(() => reports).toEqual([counts]);
  end();
  const others: CacheCounts[] = [];
  const endOthers = watchBlockCache((each) => void others.push(each));
  shareCounts(counts);
  await expect.poll(() => others).toEqual([counts]);
  endOthers();
  expect(reports).toEqual([counts]);
});
