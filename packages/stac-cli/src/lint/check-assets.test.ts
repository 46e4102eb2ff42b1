import { afterEach, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../cli.fixture.ts';
import { createAccessCheck } from '../reading/access-check.ts';
import { type ListedAsset, type AssetCheckOptions, checkAssets } from './check-assets.ts';

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

async function findingsOf(hrefs: readonly string[], rest: Partial<AssetCheckOptions> = {}): Promise<readonly string[]> {
  const options = { checkAccess: createAccessCheck(server?.base ?? ''), timeoutMs: 500, ...rest };
  const found = await checkAssets(hrefs.map(asset), options, () => {});
  return found.map(({ rule, got }) => `${rule} ${got}`);
}

describe('assets of a hostile catalogue', () => {
  it('with endless redirects or without a response are reported as missing', async () => {
    server = await serve((request, response) => {
      if (request.url !== '/silent') response.writeHead(302, { location: '/again' }).end();
    });
    const { base } = server;
    expect(await findingsOf([`${base}again`, `${base}silent`])).toEqual([
      `asset.missing ${base}again: ${base}again redirects more than 5 times; give the final address`,
      `asset.missing ${base}silent: ${base}silent did not respond within 0.5 s; try again later`,
    ]);
  });

  it('with an endless body are read only up to the end of the headers', async () => {
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
    expect(await findingsOf([`${server.base}endless`])).toEqual([]);
    await expect.poll(() => open).toBe(0);
  });

  it('in a private network are not requested for the document of a public server', async () => {
    let requests = 0;
    server = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const { base } = server;
    expect(await findingsOf([base], { checkAccess: createAccessCheck('https://192.0.2.1/') })).toEqual([
      expect.stringMatching(/^asset\.missing .* private network/),
    ]);
    expect(requests).toBe(0);
    expect(await findingsOf([base], { checkAccess: createAccessCheck('file:///data/catalog.json') })).toEqual([
      expect.stringMatching(/^asset\.cors/),
    ]);
  });

  it('are requested up to a limit of addresses', async () => {
    const requests = new Set<string>();
    server = await serve((request, response) => {
      requests.add(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    const { base } = server;
    const hrefs = ['a', 'b', 'a', 'c', 'd'].map((name) => base + name);
    expect(await findingsOf(hrefs, { mostRequested: 2 })).toEqual(['asset.unchecked 4 asset addresses in the tree']);
    expect([...requests].sort()).toEqual(['/a', '/b']);
    expect(await findingsOf(hrefs, { mostRequested: 4 })).toEqual([]);
  });
});
