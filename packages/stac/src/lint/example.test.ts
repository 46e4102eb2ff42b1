import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it("the README's example runs, and reads a 404 as a missing document", async () => {
  const example = readFileSync(new URL('example.fixture.ts', import.meta.url), 'utf8');
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  const root = 'https://example.org/api/v1/stac/';
  const links = [
    { rel: 'root', href: root },
    { rel: 'child', href: `${root}assam/` },
  ];
  vi.stubGlobal('fetch', (href: string) =>
    Promise.resolve(
      href === root
        ? Response.json({ type: 'Catalog', id: 'root', links })
        : Response.json({ type: 'https://example.org/problems/not-found' }, { status: 404 }),
    ),
  );
  const print = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await import('./example.fixture.ts');
  expect(print.mock.calls).toEqual([
    [
      root,
      '/links/1/href',
      'tree.target-missing',
      JSON.stringify(`no document at ${root}assam/`),
      'a Catalog or Collection at the target of rel child',
    ],
  ]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
