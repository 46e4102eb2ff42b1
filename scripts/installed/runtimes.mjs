// Tests hosts that call the fetch handler as in docs/embed.md: Bun, Deno and Next.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const HANDLER = `
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
const secret = crypto.getRandomValues(new Uint8Array(32));
const headwater = createHeadwater({ baseUrl: 'http://localhost:3000/geo', secret });
const handle = toFetchHandler(headwater.service, { prefix: '/geo' });
`;

/** Programs of the documentation, which listen on port 3000. */
const PROGRAMS = {
  bun: 'Bun.serve({ hostname: "127.0.0.1", port: 3000, fetch: (request) => handle(request) });',
  deno: 'Deno.serve({ hostname: "127.0.0.1", port: 3000 }, (request) => handle(request));',
};

/** Checks the first page and a login. For the login, the runtime's own `node:crypto` hashes a password. */
async function checkService(url) {
  assert.equal((await fetch(`${url}/geo/`)).status, 200);
  const response = await fetch(`${url}/geo/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'asha', password: 'wrong' }),
  });
  assert.equal(response.status, 401, await response.text());
}

async function runtime(project, name, args) {
  const file = `${name}.mjs`;
  const options = { command: name, args: [...args, file], ready: '/geo/api/health' };
  const { url } = await project.serve(file, HANDLER + PROGRAMS[name], options);
  await checkService(url);
}

async function next(project) {
  mkdirSync(join(project.folder, 'app/geo/[[...path]]'), { recursive: true });
  const route = `
const route = (request: Request) => handle(request);
export { route as GET, route as HEAD, route as OPTIONS, route as POST, route as PUT, route as PATCH, route as DELETE };
`;
  project.write('app/layout.jsx', 'export default ({ children }) => <html><body>{children}</body></html>;');
  project.write('app/geo/[[...path]]/route.ts', HANDLER + route);
  const config = { skipTrailingSlashRedirect: true };
  project.write('next.config.mjs', `export default ${JSON.stringify(config)};`);
  await project.command('next', 'build');
  const options = { command: 'next', args: ['start'], ready: '/geo/api/health' };
  const { url } = await project.serve('next', undefined, options);
  await checkService(url);
}

/** Runs the three hosts one after the other. */
export async function runtimes(project) {
  await project.npm(
    'install',
    '@headwater/http-service',
    'zod@4',
    'bun@1',
    'deno@2',
    'next@16',
    'react@19',
    'react-dom@19',
  );
  await project.npm('install', '--save-dev', '@types/node@24', '@types/react@19', 'typescript@5');
  await runtime(project, 'bun', []);
  await runtime(project, 'deno', ['run', '--allow-all', '--no-prompt']);
  await next(project);
}
