import { afterEach, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../cli.fixture.ts';
import { reachFrom } from '../reading/reach.ts';
import type { ListedAsset } from './asset-list.ts';
import { type AssetChecking, checkAssets } from './check-assets.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const asset = (href: string): ListedAsset => ({
  document: 'item.json',
  pointer: '/assets/data',
  href,
  type: undefined,
  size: undefined,
});

/** What is told of assets at these addresses. */
async function told(hrefs: readonly string[], rest: Partial<AssetChecking> = {}): Promise<readonly string[]> {
  const asking = { reach: reachFrom(server?.base ?? ''), timeoutMs: 500, ...rest };
  const found = await checkAssets(hrefs.map(asset), asking, () => {});
  return found.map(({ rule, got }) => `${rule} ${got}`);
}

describe('assets of a hostile catalogue', () => {
  it('that redirect without end, or never answer, are told as missing', async () => {
    server = await serve((request, response) => {
      if (request.url !== '/silent') response.writeHead(302, { location: '/again' }).end();
    });
    const { base } = server;
    expect(await told([`${base}again`, `${base}silent`])).toEqual([
      `asset.missing ${base}again: ${base}again redirects more than 5 times`,
      `asset.missing ${base}silent: ${base}silent did not answer within 0.5 s`,
    ]);
  });

  it('that send everything where a part was asked for are left after the head of the answer', async () => {
    let open = 0;
    server = await serve((request, response) => {
      if (request.method === 'HEAD') return response.writeHead(403).end();
      open += 1;
      response.once('close', () => (open -= 1));
      response.writeHead(200, { 'access-control-allow-origin': '*' });
      const write = (): void => {
        while (response.write(' '.repeat(2 ** 16)));
        response.once('drain', write);
      };
      return write();
    });
    expect(await told([`${server.base}endless`])).toEqual([]);
    await expect.poll(() => open).toBe(0);
  });

  it('that lie in the network of the reader are not asked where a public server names them', async () => {
    let asked = 0;
    server = await serve((_request, response) => {
      asked += 1;
      response.end();
    });
    const { base } = server;
    expect(await told([base], { reach: reachFrom('https://192.0.2.1/') })).toEqual([
      expect.stringMatching(/^asset\.missing .* private network/),
    ]);
    expect(asked).toBe(0);
    expect(await told([base], { reach: reachFrom('file:///data/catalog.json') })).toEqual([
      expect.stringMatching(/^asset\.cors/),
    ]);
  });

  it('are asked no further than so many addresses', async () => {
    const asked = new Set<string>();
    server = await serve((request, response) => {
      asked.add(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    const { base } = server;
    const hrefs = ['a', 'b', 'a', 'c', 'd'].map((name) => base + name);
    expect(await told(hrefs, { mostAsked: 2 })).toEqual(['asset.unchecked 4 addresses in all']);
    expect([...asked].sort()).toEqual(['/a', '/b']);
    expect(await told(hrefs, { mostAsked: 4 })).toEqual([]);
  });
});
