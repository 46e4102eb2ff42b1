import { expect, test } from 'vitest';
import { startHost } from './server.ts';

test("the host's own route and Headwater both respond", async () => {
  const host = await startHost({ port: 0, publicUrl: 'http://127.0.0.1', secret: crypto.randomUUID() });
  const address = host.server.address();
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port ?? 0}` : '';
  try {
    expect(await (await fetch(`${url}/hello`)).json()).toEqual({ hello: 'from the host' });
    expect(await (await fetch(`${url}/geo/api/health`)).json()).toMatchObject({ status: 'ok' });
    expect((await fetch(`${url}/geo/`)).headers.get('content-type')).toContain('text/html');
    const root = (await (await fetch(`${url}/geo/api/v1/stac/`)).json()) as { links: { href: string }[] };
    expect(root.links[0]?.href).toBe('http://127.0.0.1/geo/api/v1/stac/');
    const refused = await fetch(`${url}/geo/api/v1/lulc_for_tehsil/`, { method: 'POST' });
    expect(refused.status).toBe(401);
    expect((await fetch(`${url}/api/health`)).status).toBe(404);
  } finally {
    await host.close();
  }
});
