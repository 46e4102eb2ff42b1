import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPipelineRegistry } from '@headwater/core';
import { datasetsOf } from './describe-workflows.ts';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { readWorkflowFiles, WORKFLOW_FILES } from '@headwater/orchestrator-client/workflow-files';
import { createPipelines } from '../pipelines.ts';
import { workflowFilesCommand } from './workflow-command.ts';

const SERVICE = 'http://headwater.test:8000/';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-workflows-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function command(args: readonly string[], service: string | undefined = SERVICE) {
  const lines: string[] = [];
  const isGood = await workflowFilesCommand(args, { service, print: (line) => lines.push(line) });
  return { isGood, lines };
}

async function readBack(name: string) {
  const [dag = '', algorithms = '', datasets = ''] = await Promise.all(
    Object.values(WORKFLOW_FILES).map((file) => readFile(join(folder, name, file), 'utf8')),
  );
  const outcome = readWorkflowFiles({ dag, algorithms, datasets });
  assert(outcome.kind === 'read', JSON.stringify(outcome));
  return outcome.workflow;
}

describe('headwater workflow-files', () => {
  it('writes a folder for each pipeline; each folder is valid when it is read back', async () => {
    const { isGood, lines } = await command(['--out', folder]);
    const names = createPipelines().map(({ name }) => name);
    expect(isGood).toBe(true);
    expect(lines.map((line) => /the id of its workflow is (.*)_mixed$/.exec(line)?.[1])).toEqual(names);
    const checked = await command(['--check', folder]);
    expect(checked.isGood).toBe(true);
    expect(checked.lines).toHaveLength(names.length);
    expect(checked.lines.every((line) => line.includes('parameters: job_id, run_token, state, district, block'))).toBe(
      true,
    );
  });

  it('writes the address to call, the group, and the parameters of a run by their names in HTTP requests', async () => {
    const { dag, algorithmTypes, algorithmInstances } = await readBack('lulc_for_tehsil');
    expect(dag.group).toBe('corestack');
    expect(algorithmTypes[0]?.params).toEqual([
      { name: 'job_id', type: 'string' },
      { name: 'run_token', type: 'string' },
      { name: 'state', type: 'string' },
      { name: 'district', type: 'string' },
      { name: 'block', type: 'string' },
      { name: 'start_year', type: 'integer' },
      { name: 'end_year', type: 'integer' },
      { name: 'eo_account_id', type: 'integer' },
      { name: 'region', type: 'array' },
      { name: 'year', type: 'integer' },
      { name: 'base_scheme', type: 'string', default: 'indiasat' },
    ]);
    expect(algorithmInstances[0]?.execution_modes).toEqual({
      api: { enabled: true, priority: 1, url: 'http://headwater.test:8000/api/export-asset' },
    });
  });

  it('in container mode, enables the container and disables the call', async () => {
    const image = ['--mode', 'container', '--image', 'registry.example/headwater:0.2.0', '--volume', '/srv/data:/data'];
    await command(['--out', folder, '--pipeline', 'stream_order', ...image, '--group', 'drone']);
    const { dag, algorithmInstances } = await readBack('stream_order');
    expect(dag.group).toBe('drone');
    expect(algorithmInstances[0]?.execution_modes).toMatchObject({
      api: { enabled: false },
      docker: {
        enabled: true,
        image: 'registry.example/headwater:0.2.0',
        module: 'headwater_algorithms.algorithms',
        function: 'stream_order',
        volumes: [{ source: '/srv/data', target: '/data', read_only: false }],
      },
    });
  });

  it('reports faults of files with their line and fails', async () => {
    const path = join(folder, 'lulc_vector', WORKFLOW_FILES.dag);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('dataset_type_nodes:\n', 'dataset_type_nodes:\n  - "nowhere"\n'));
    const { isGood, lines } = await command(['--check', folder]);
    expect(isGood).toBe(false);
    const line = text.split('\n').indexOf('dataset_type_nodes:') + 2;
    expect(lines.filter((each) => !each.includes(' is valid'))).toEqual([
      expect.stringMatching(new RegExp(`^lulc_vector/stacd_dag.yaml:${line}: .*nowhere.*; `)),
    ]);
  });

  it.each([
    [['--out', 'x', '--mode', 'docker'], /--mode: expected api or container/],
    [['--out', 'x', '--mode', 'container'], /--image: missing/],
    [['--out', 'x', '--image', 'headwater:latest'], /--image .*not latest/],
    [['--out', 'x', '--volume', '/a:/b'], /--volume: .*--image/],
    [['--out', 'x', '--image', 'h:1', '--volume', '/a'], /--volume: "\/a" is not SOURCE:TARGET/],
    [
      ['--out', 'x', '--pipeline', 'nothing'],
      /--pipeline: unknown pipeline "nothing"; the pipelines are lulc_for_tehsil,/,
    ],
    [['--out', 'x', '--group', 'unknown'], /--group: expected one of corestack/],
    [['--out', 'x', '--service', 'headwater:8000'], /SERVICE_API_BASE \(or --service\) .*write the address/],
    [['--out', 'x', '--date', '31.1.2026'], /--date .*2026-01-31/],
    [['--check', 'x', '--out', 'y'], /--out: --check .*takes no other/],
    [['--check', '/nowhere/at/all'], /--check: .*not a readable folder/],
    [[], /--out: missing/],
    [['--nonsense'], /--nonsense/],
  ])('refuses %j', async (args, problem) => {
    await expect(command(args)).rejects.toThrow(problem);
  });

  it('reports the variable if the address of the service is unknown', async () => {
    await expect(command(['--out', folder], '')).rejects.toThrow(/SERVICE_API_BASE: is not set; .*--service/);
  });
});

describe('datasets of a pipeline', () => {
  it('are, if it declares none, its layers and tables (outputs) and the layers of the pipelines that it depends on (inputs)', () => {
    const registry = createPipelineRegistry(createPipelines());
    const pipeline = registry.get('lulc_vector');
    assert(pipeline !== undefined);
    const { inputs, outputs } = datasetsOf(pipeline, registry);
    expect(inputs.map(({ id, form }) => [id, form])).toEqual([['lulc_for_tehsil_layers', 'layers']]);
    expect(outputs.map(({ id, form }) => [id, form])).toEqual([
      ['lulc_vector_layers', 'layers'],
      ['lulc_vector_lulc_vector', 'table'],
    ]);
  });

  it('are the declared inputs; derived outputs get unique ids', () => {
    const [land] = createPipelines();
    assert(land !== undefined);
    const own = { id: 'scenes', title: 'Scenes', description: 'Scenes', form: 'raster' } as const;
    const registry = createPipelineRegistry([{ ...land, datasets: { inputs: [own] }, data: ['a b', 'a_b'] }]);
    const [pipeline] = registry.list;
    assert(pipeline !== undefined);
    expect(datasetsOf(pipeline, registry).inputs).toEqual([own]);
    expect(datasetsOf(pipeline, registry).outputs.map(({ id }) => id)).toEqual([
      'lulc_for_tehsil_layers',
      'lulc_for_tehsil_a_b',
      'lulc_for_tehsil_a_b_2',
    ]);
  });
});
