import { describeStores } from '@headwater/testkit/stores';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownStores } from './own-audit.fixture.ts';

describeStores(
  'my stores',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'my-stores-'));
    let opened = ownStores(join(folder, 'audit.sqlite'));
    return {
      kind: 'memory',
      fresh: async () => {
        opened.close();
        rmSync(join(folder, 'audit.sqlite'), { force: true });
        opened = ownStores(join(folder, 'audit.sqlite'));
        return opened.stores;
      },
      stop: async () => {
        opened.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  ['audit', 'identity', 'hostile'],
);

it('the guide "Your own store" has the code of this example', () => {
  const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
  const sources = ['./own-audit.fixture.ts', './own-store.test.ts'].map((path) =>
    flat(read(path).replace('./own-audit.fixture.ts', './own-stores.ts')),
  );
  const blocks = [...read('../../../../docs/own-store.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(2);
  for (const code of blocks)
    expect([code, sources.some((source) => source.includes(flat(code)))]).toEqual([code, true]);
});
