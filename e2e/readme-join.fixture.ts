import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { childEnv } from '../scripts/child-env.mjs';
import type { Client } from './client.ts';

const ROOT = resolve(import.meta.dirname, '..');

async function shellLines(from: string, to: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'docs', 'clients.md'), 'utf8');
  const part = text.slice(text.indexOf(from), text.indexOf(to));
  return [...part.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
}

/**
 * Runs the command lines of docs/clients.md that register a user and draw a map. The map must show every
 * micro-watershed.
 */
export async function pasteReadmeJoin(baseUrl: string, folder: string): Promise<void> {
  const [, signIn = ''] = await shellLines('## First calls', '## Pages');
  expect(signIn).toMatch(/^TOKEN=.*"username":"test_user_0042"/);
  const [register = '', ...others] = await shellLines('## Accounts', '## Any region');
  const written = [register, `HEADWATER_PASSWORD=tall-river-42`, signIn.replace('test_user_0042', 'asha'), ...others];
  const last = written.at(-1) ?? '';
  expect(last).toMatch(/^PUBLIC_API_X_API_KEY=\$KEY npm run -s join-on-uid -- .* > map\.svg$/);
  const lines = written.map((line) =>
    line
      .replaceAll('http://localhost:8000', baseUrl)
      .replace('join-on-uid --', `join-on-uid -- --url ${baseUrl}`)
      .replace('> map.svg', `> '${join(folder, 'map.svg')}'`),
  );
  const ran = promisify(execFile)('sh', ['-euc', lines.join('\n')], { cwd: ROOT, env: childEnv(), maxBuffer: 1e8 });
  const { stdout, stderr } = await ran;
  expect(stderr).toBe('');
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const jalsrota = expect.objectContaining({ label: 'Jalsrota' });
  const nirmalgarh = expect.objectContaining({ label: 'Nirmalgarh', blocks: [jalsrota] });
  expect(answers).toMatchObject([
    { username: 'asha', email: 'asha@example.org' },
    [{ label: 'Virtapradesh', district: [nirmalgarh] }],
    { type: 'FeatureCollection' },
    { lulc_vector: expect.any(Array), mws: expect.any(Array) },
  ]);
  const uids: string[] = answers[2].features.map((feature: { properties: { uid: string } }) => feature.properties.uid);
  const svg = await readFile(join(folder, 'map.svg'), 'utf8');
  const shapes = [...svg.matchAll(/<path data-uid="([^"]+)" fill="([^"]+)"/g)];
  expect(shapes.map(([, uid]) => uid)).toEqual(uids);
  const legend = [...svg.matchAll(/<rect [^>]*fill="([^"]+)"/g)].map(([, color]) => color);
  const shown = new Set(shapes.map(([, , color]) => color));
  expect(new Set(legend)).toEqual(shown);
  expect(shown.size).toBeGreaterThan(2);
}

/** Expects indicators and a time series for one micro-watershed. Returns the API key of the requests. */
export async function expectSampleServed({ baseUrl, post }: Client): Promise<string> {
  const { body: issued } = await post<{ data: { api_key: string } }>('/api/v1/generate_api_key/', {});
  const read = async (route: string, more = ''): Promise<{ readonly status: number; readonly body: unknown }> => {
    const of = 'state=Virtapradesh&district=Nirmalgarh&tehsil=Jalsrota';
    const headers = { 'X-API-Key': issued.data.api_key };
    const answer = await fetch(`${baseUrl}/api/v1/${route}/?${of}${more}`, { headers });
    return { status: answer.status, body: await answer.json() };
  };
  const uid = '&mws_id=12_100174';
  const forest = { lulc_forest_percent: expect.any(Number), lulc_shrub_percent: expect.any(Number) };
  const indicators = await read('get_mws_kyl_indicators', uid);
  expect(indicators).toMatchObject({ status: 200, body: [forest] });
  expect(indicators.body).not.toMatchObject([{ lulc_forest_percent: 0 }]);
  const series = expect.arrayContaining([expect.objectContaining({ date: expect.any(String) })]);
  expect(await read('get_mws_data', uid)).toMatchObject({ status: 200, body: { time_series: series } });
  return issued.data.api_key;
}
