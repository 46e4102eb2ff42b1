import { expect, it } from 'vitest';
import { createPipelineRegistry } from '../runs/registry.ts';
import { pipelines } from './registry.ts';

it('holds pipelines that the run machine takes, each under its own name, route and aliases', () => {
  const registry = createPipelineRegistry(pipelines);
  expect(registry.list).toEqual(pipelines);
  expect(registry.get('lulc_for_tehsil')).toMatchObject({ route: 'lulc_for_tehsil', aliases: ['lulc_v3'] });
});

it('keeps parameters through JSON, and tells equal work by its fingerprint', () => {
  for (const pipeline of pipelines) {
    const params = { tehsilId: 3, startYear: 2020, endYear: 2022, eoAccountId: 1 };
    expect(pipeline.params.parse(JSON.parse(JSON.stringify(params)))).toEqual(params);
    expect(pipeline.fingerprint(params)).not.toBe(pipeline.fingerprint({ ...params, endYear: 2021 }));
  }
});
