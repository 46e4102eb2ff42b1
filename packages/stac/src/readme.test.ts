import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it("the README's first example runs, and its documents conform", async () => {
  const example = readFileSync(new URL('tree.fixture.ts', import.meta.url), 'utf8');
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  const print = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await import('./tree.fixture.ts');
  const tehsil = 'https://example.org/stac/lakhipur/';
  expect(print.mock.calls).toEqual([
    ['https://example.org/stac/', 0],
    [tehsil, 0],
    [`${tehsil}items/assam_cachar_lakhipur_land_cover_raster/`, 0],
    [`${tehsil}items/assam_cachar_lakhipur_land_cover_vector/`, 0],
    ['0 findings in the tree'],
  ]);
  vi.restoreAllMocks();
});
