import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { csvLabels } from '@headwater/accuracy';
import { SAMPLE_PLACE } from '@headwater/sample-world';
import type { Client } from './client.ts';

const POINTS = resolve(import.meta.dirname, '../examples/validate-against-reference/sample/points.csv');

/** Validates the land cover of 2021-2022 with the sample's points; returns the path of the table's page. */
export async function validateSample(client: Client): Promise<string> {
  const labels = csvLabels(await readFile(POINTS, 'utf8'));
  const features = labels.map(({ label, geometry }) => ({ type: 'Feature', properties: { label }, geometry }));
  const { state, district, tehsil } = SAMPLE_PLACE;
  const { status, body } = await client.post<{ readonly tables?: readonly { links: { json: string } }[] }>(
    '/api/v1/validate/?wait=true',
    {
      state,
      district,
      block: tehsil,
      eo_account_id: 1,
      workspace: 'LULC_level_3',
      layer_name: 'LULC_21_22_nirmalgarh_jalsrota_level_3',
      labels: { type: 'FeatureCollection', features },
    },
  );
  const [table] = body.tables ?? [];
  if (table === undefined) throw new Error(`the validation responded ${status}: ${JSON.stringify(body)}`);
  return new URL(table.links.json).pathname;
}
