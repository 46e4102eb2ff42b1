import { assert, describe, expect, it } from 'vitest';
import { DESCRIPTION, LAND_COVER } from './description.fixture.ts';
import { readWorkflowFiles } from './index.ts';
import { landCoverTexts, writeFaults, written } from './workflow.test-helper.ts';

describe('workflow files of described pipelines', () => {
  it('are returned for each pipeline with the id of the DAG to trigger, and are the same each time', () => {
    expect(written().map(({ pipeline, dagId }) => [pipeline, dagId])).toEqual([
      ['lulc_for_tehsil', 'lulc_for_tehsil_mixed'],
      ['generate_slope_percentage', 'generate_slope_percentage_mixed'],
    ]);
    expect(written()).toEqual(written());
    expect(written().map(({ texts }) => [...texts.dag.matchAll(/^--- (!\w+)$/gm)].map(([, tag]) => tag))).toEqual([
      ['!DAG', '!Dataset_Type', '!Dataset_Type', '!Dataset_Type', '!Algorithm_Type'],
      ['!DAG', '!Dataset_Type', '!Algorithm_Type'],
    ]);
  });

  it('are read back as they were described', () => {
    const outcome = readWorkflowFiles(landCoverTexts());
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    const params = ['job_id', 'run_token', 'state', 'start_year', 'region'];
    expect(outcome.workflow.dag).toEqual({
      id: 'lulc_for_tehsil',
      name: LAND_COVER.title,
      version: '1',
      group: 'corestack',
      description: LAND_COVER.description,
      params,
      alg_type_nodes: ['lulc_for_tehsil'],
      dataset_type_nodes: ['Micro_Watersheds', 'Boundary', 'Land_Cover'],
    });
    expect(outcome.workflow.datasetTypes).toEqual(
      [...LAND_COVER.inputs, ...LAND_COVER.outputs].map(({ id, title: name, description, format }) => ({
        id,
        name,
        description,
        format,
      })),
    );
    expect(outcome.workflow.algorithmTypes).toEqual([
      {
        id: 'lulc_for_tehsil',
        name: LAND_COVER.title,
        description: LAND_COVER.description,
        params: params.map((name) => ({
          name,
          type: LAND_COVER.parameters.find((parameter) => parameter.name === name)?.type ?? 'string',
        })),
        input_datasets: ['Micro_Watersheds', 'Boundary'],
        outputs: ['Land_Cover'],
      },
    ]);
    expect(outcome.workflow.algorithmInstances).toEqual([
      {
        type: 'lulc_for_tehsil',
        version: '1',
        date: '2026-01-31',
        assets: { code: 'https://example.org/headwater' },
        execution_modes: {
          api: { enabled: true, priority: 1, url: 'http://headwater:8000/api/export-asset' },
          docker: {
            enabled: true,
            priority: 2,
            image: 'registry.example/headwater:0.1.0',
            module: 'headwater_algorithms.run',
            function: 'lulc_for_tehsil',
            volumes: [{ source: '/srv/data', target: '/data', read_only: true }],
          },
        },
      },
    ]);
    expect(outcome.workflow.datasetInstances).toEqual([
      { type_id: 'Micro_Watersheds', version: '1', region: 'pan_india', asset_id: 'projects/example/assets/mws' },
    ]);
  });

  it('without a container have only the API mode; without root datasets the dataset repository is empty', () => {
    const slope = written()[1];
    assert(slope !== undefined);
    expect(slope.texts.datasets).toBe('');
    const outcome = readWorkflowFiles(slope.texts);
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    expect(outcome.workflow.algorithmInstances.map((instance) => instance.execution_modes)).toEqual([
      { api: { enabled: true, priority: 1, url: 'http://headwater:8000/api/export-asset' } },
    ]);
  });

  it('accept up to two quotation marks in a row, except at the end of a text', () => {
    const description = 'the "start" and ""empty"" of a text.';
    const [first] = written({ ...DESCRIPTION, pipelines: [{ ...LAND_COVER, description }] });
    expect(first?.texts.dag).toContain(JSON.stringify(description));
  });
});

describe('a description that the generator cannot handle has faults', () => {
  it.each(["the service's", 'a \\ b', 'two\nlines', 'three """', 'the "end"', '"', 'a\u2028b', '', 'x'.repeat(2001)])(
    'text %j',
    (text) => {
      const [title, description, dataset, ...rest] = writeFaults({
        title: text,
        description: text,
        outputs: [{ ...LAND_COVER.outputs[0], title: text }],
      });
      expect([title, description, dataset, ...rest].map((fault) => fault?.split(':')[0])).toEqual([
        'pipelines[0].title',
        'pipelines[0].description',
        'pipelines[0].outputs[0].title',
      ]);
    },
  );

  it.each(['land-cover', 'land cover', "a'b", '', 'लुलक'])('id %j of a pipeline or dataset', (id) => {
    const faults = writeFaults({ name: id, inputs: [{ ...LAND_COVER.inputs[0], id }] });
    expect(faults).toEqual([
      'pipelines[0].name: becomes part of a Python name and has characters that a name cannot have',
      'pipelines[0].inputs[0].id: becomes part of a Python name and has characters that a name cannot have',
    ]);
  });

  it.each(['execution_id', '1st', 'a b', 'a"b'])('parameter %j', (name) => {
    expect(writeFaults({ parameters: [{ name, type: 'string' }] })).toEqual([
      expect.stringContaining('pipelines[0].parameters[0].name: is not a name of a parameter'),
    ]);
  });

  it('reserved, repeated and wrongly typed parameters', () => {
    const named = (name: string, type = 'string') => ({ name, type });
    expect(writeFaults({ parameters: [named('job_id'), named('a'), named('a')] })).toEqual([
      'pipelines[0].parameters[0].name: already exists',
      'pipelines[0].parameters[2].name: already exists',
    ]);
    expect(writeFaults({ parameters: [named('a', 'float')] })).toEqual([
      'pipelines[0].parameters[0].type: is "float", which is not known',
    ]);
  });

  it('a dataset that is both input and output, and an empty list of outputs', () => {
    expect(writeFaults({ outputs: [LAND_COVER.inputs[0]] })).toEqual(['pipelines[0].outputs[0].id: already exists']);
    expect(writeFaults({ outputs: [] })).toEqual(['pipelines[0].outputs: has too few members or is too small']);
  });

  const noAddresses = ['/api', 'http://a/"b', 'http://${HOST}:8000', 'ftp://a', 'http://user:pass@host', 'http://', ''];
  const repairedByUrl = ['http://a/#', 'http:a:8000', 'http:/a:8000', 'http:///a:8000', 'http://@a'];
  it.each([...noAddresses, ...repairedByUrl, 'http://a/#b', 'http://a/?b', 'http://a/?'])(
    'service address %j',
    (serviceApiBase) => {
      expect(writeFaults({}, { serviceApiBase }).map((fault) => fault.split(':')[0])).toEqual(['serviceApiBase']);
    },
  );

  it.each(['headwater', 'headwater:latest', "a'b:1", 'host:5000/name'])('unpinned image %j', (image) => {
    expect(writeFaults({ container: { ...LAND_COVER.container, image } })).toEqual([
      'pipelines[0].container.image: is not a pinned image reference',
    ]);
  });

  it('several faults, which are all reported together', () => {
    expect(writeFaults({ version: 1, title: undefined, inputs: null }, { date: '2026-02-30' })).toEqual([
      'date: is not a day',
      'pipelines[0].title: is missing',
      'pipelines[0].version: is the number 1, not string',
      'pipelines[0].inputs: is null, not array',
    ]);
    expect(() => written({ ...DESCRIPTION, pipelines: [LAND_COVER, LAND_COVER] })).toThrow(
      /pipelines\[1\]\.name.*already exists/,
    );
  });
});
