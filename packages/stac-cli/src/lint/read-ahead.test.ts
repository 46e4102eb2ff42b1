import { expect, it } from 'vitest';
import { call, serve } from '../cli.fixture.ts';
import { createReadAhead } from './read-ahead.ts';

const document = (base: string, type: string, links: readonly object[]): string =>
  JSON.stringify({ type, id: base, links: [{ rel: 'root', href: base }, ...links] });

it('lints a tree on a server with eight concurrent requests, and reports in tree order', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `item${String(index)}`);
  let [open, most] = [0, 0];
  const server = await serve((request, response) => {
    open += 1;
    most = Math.max(most, open);
    const ms = 40 - Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0);
    setTimeout(() => {
      open -= 1;
      const items = names.map((name) => ({ rel: 'item', href: `./${name}` }));
      const isRoot = request.url === '/';
      response.end(document(server.base, isRoot ? 'Catalog' : 'Feature', isRoot ? items : []));
    }, ms);
  });
  const { out } = await call(['lint', server.base, '--quiet']);
  await server.close();
  expect(most).toBe(8);
  expect(out.match(/item\d+(?=\n)/g)).toEqual(names);
});

it('reads ahead up to its limit, and reads each address once; a failed read rejects only when its document is requested', async () => {
  const requests: string[] = [];
  const read = (href: string): Promise<unknown> => {
    requests.push(href);
    return href === 'c' ? Promise.reject(new Error('gone')) : Promise.resolve(href);
  };
  const ahead = createReadAhead({ read }, { atOnce: 3, mostDocuments: 4 });
  ahead.expect(['a', 'b', 'c', 'd', 'e', 'f']);
  expect([await ahead.read('a'), requests]).toEqual(['a', ['a', 'b', 'c']]);
  expect([await ahead.read('b'), requests]).toEqual(['b', ['a', 'b', 'c', 'd']]);
  await expect(ahead.read('c')).rejects.toThrow('gone');
  expect(requests).toEqual(['a', 'b', 'c', 'd']);
  expect(await ahead.read('x')).toBe('x');
});
