import { assert, describe, expect, it } from 'vitest';
import { readWorkflowFiles, type WorkflowTexts } from './index.ts';
import { landCoverTexts, readFaults, faultLines } from './workflow.test-helper.ts';

const DAG = `# a comment
--- !DAG
id: my-workflow
name: Land cover
version: 1
description: >-
  Classes of
  each year
params: [year]
alg_type_nodes:
  - Classify
dataset_type_nodes: [Classes]

--- !Dataset_Type
id: Classes
name: The district's classes
format: GEEAsset

--- !Algorithm_Type
id: Classify
name: Classify
params:
  - name: year
    type: integer
    default: 2020
input_datasets: null
outputs:
  - Classes
`;
const ALGORITHMS = `--- !Algorithm_Instance
type: Classify
version: "1"
date: 2026-01-01 00:00:00
execution_modes:
  api:
    enabled: yes
    url: http://service:8000/api/export-asset
`;
const HAND: WorkflowTexts = { dag: DAG, algorithms: ALGORITHMS, datasets: '# none\n' };
const withDag = (from: string | RegExp, to: string): WorkflowTexts => ({ ...HAND, dag: replaced(DAG, from, to) });
const withMode = (from: string | RegExp, to: string): WorkflowTexts => ({
  ...HAND,
  algorithms: replaced(ALGORITHMS, from, to),
});

function replaced(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to);
  assert(changed !== text, `nothing to replace: ${String(from)}`);
  return changed;
}

const seen = (texts: WorkflowTexts) =>
  faultLines(readFaults(texts)).map((line) => line.replace(/^stacd_\w+\.yaml:/, ''));

describe('files written by hand', () => {
  it('are read as several documents', () => {
    const outcome = readWorkflowFiles(HAND);
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    expect(outcome.workflow.dag).toMatchObject({ version: '1', description: 'Classes of each year', params: ['year'] });
    expect(outcome.workflow.algorithmInstances).toMatchObject([
      { date: '2026-01-01', execution_modes: { api: { enabled: true } } },
    ]);
    expect(outcome.workflow.algorithmTypes).toMatchObject([{ input_datasets: null, outputs: ['Classes'] }]);
  });

  it('may have days with a time, as dates or texts; the time is removed', () => {
    for (const day of [
      '2026-01-01T05:30:00Z',
      '"2026-01-01 05:30:00.5+05:30"',
      '"2026-01-01T05"',
      '"2026-01-01 01:00 +05:30"',
    ]) {
      const outcome = readWorkflowFiles(withMode('2026-01-01 00:00:00', day));
      assert(outcome.kind === 'read', JSON.stringify(outcome));
      expect(outcome.workflow.algorithmInstances[0]?.date).toBe('2026-01-01');
    }
    expect(seen(withMode('2026-01-01 00:00:00', '"2026-01-01 or later"'))).toHaveLength(1);
  });

  it('are read as a list of tagged members, with the same result', () => {
    const asList = (text: string) => text.replaceAll(/^(?!--- |#).+$/gm, '  $&').replaceAll('--- !', '- !');
    const listed = readWorkflowFiles({ ...HAND, dag: asList(DAG), algorithms: asList(ALGORITHMS) });
    expect(listed.kind).toBe('read');
    expect(listed).toEqual(readWorkflowFiles(HAND));
  });

  it('are read with all members of the format, also with members that no generator reads', () => {
    const outcome = readWorkflowFiles({
      ...HAND,
      dag: `${DAG}depends_on: []\ninputs: [scenes]\n`.replace(
        'version: 1',
        'version: 1\ndocumentation: https://example.org',
      ),
    });
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    expect(outcome.workflow.dag.documentation).toBe('https://example.org');
    expect(outcome.workflow.algorithmTypes).toMatchObject([{ depends_on: [], inputs: ['scenes'] }]);
  });

  it.each([
    ['1.0', '1.0'],
    ['1.10', '1.1'],
    ['2', '2'],
    ['"1.10"', '1.10'],
  ])('have a version %s, which is read as the text that Python would read', (written, text) => {
    const outcome = readWorkflowFiles(withDag('version: 1', `version: ${written}`));
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    expect(outcome.workflow.dag.version).toBe(text);
  });

  it('may use an anchor a few times', () => {
    const outcome = readWorkflowFiles(withDag('params: [year]', 'params: &p [{name: year}]\nextra: *p'));
    assert(outcome.kind === 'read', JSON.stringify(outcome));
    expect(outcome.workflow.dag.params).toEqual(['year']);
  });
});

describe('requirements of one document, reported with the line', () => {
  it.each<[string, WorkflowTexts, string]>([
    ['no dataset_type_nodes', withDag(/dataset_type_nodes: .*\n/, ''), '3 !DAG.dataset_type_nodes is missing'],
    [
      'null for a list',
      withDag(/dataset_type_nodes: .*/, 'dataset_type_nodes:'),
      '12 !DAG.dataset_type_nodes is null, not array',
    ],
    [
      'an apostrophe in a name',
      withDag('name: Land cover', "name: The district's"),
      '4 !DAG.name is copied unescaped into a Python text',
    ],
    ['a line break in a description', withDag('>-', '>'), '6 !DAG.description is copied unescaped into a Python text'],
    [
      'a blank in the id of the workflow',
      withDag('my-workflow', 'my workflow'),
      '3 !DAG.id is not an id of a workflow',
    ],
    [
      'a hyphen in an id of a dataset',
      withDag('[Classes]', '[the-classes]'),
      '12 !DAG.dataset_type_nodes[0] becomes part of a Python name',
    ],
    ['an unknown group', withDag('version: 1', 'version: 1\ngroup: us'), '6 !DAG.group is "us", which is not known'],
    [
      'names for parameters of an algorithm',
      withDag(/ {2}- name: year\n.*\n.*\n/, '  - year\n'),
      '23 !Algorithm_Type.params[0] is the string "year", not object',
    ],
    ['no parameters of an algorithm', withDag(/params:\n(.*\n){3}/, ''), '20 !Algorithm_Type.params is missing'],
    [
      'an unknown format',
      withDag('GEEAsset', 'Shapefile'),
      '17 !Dataset_Type.format is "Shapefile", which is not known',
    ],
    [
      'enabled as text',
      withMode('yes', '"false"'),
      '7 !Algorithm_Instance.execution_modes.api.enabled is the string "false", not boolean',
    ],
    [
      'null for the API mode',
      withMode(/api:\n(.*\n){2}/, 'api:\n'),
      '6 !Algorithm_Instance.execution_modes.api is null, not object',
    ],
    ['no enabled mode', withMode('yes', 'no'), '6 !Algorithm_Instance.execution_modes has no enabled mode'],
    [
      'no address',
      withMode(/ {4}url: .*\n/, ''),
      '7 !Algorithm_Instance.execution_modes.api.url is missing, although this execution mode is enabled',
    ],
    [
      'a quotation mark in an address',
      withMode('/api/export-asset', '/api"/x'),
      '8 !Algorithm_Instance.execution_modes.api.url is not a complete http or https address',
    ],
    [
      'a variable in an address',
      withMode('http://service:8000', '${SERVICE_API_BASE}'),
      '8 !Algorithm_Instance.execution_modes.api.url is not a complete http or https address',
    ],
    [
      'an address without slashes before its host',
      withMode('http://', 'http:'),
      '8 !Algorithm_Instance.execution_modes.api.url is not a complete http or https address',
    ],
    [
      'an empty fragment at the end of an address',
      withMode('/api/export-asset', '/#'),
      '8 !Algorithm_Instance.execution_modes.api.url is not a complete http or https address',
    ],
    [
      'two modes without order',
      withMode('  api:', '  docker: {enabled: true, image: "a:1"}\n  api:'),
      '6 !Algorithm_Instance.execution_modes has two enabled modes without different priorities',
    ],
    ['a day for a version', withDag('version: 1', 'version: 2026-01-31'), '5 !DAG.version is a date, not string'],
    ['an invalid day', withMode(/date: .*/, 'date: tomorrow'), '4 !Algorithm_Instance.date is not a day'],
  ])('%s', (_, texts, expected) => {
    const faults = seen(texts);
    expect(faults).toEqual([expect.stringContaining(expected)]);
  });
});

describe('requirements between documents', () => {
  const ANOTHER = '--- !Algorithm_Type\nid: Other\nname: Other\nparams: []\n';
  it.each<[string, WorkflowTexts, readonly string[]]>([
    ['no workflow', { ...HAND, dag: DAG.slice(DAG.indexOf('--- !Dataset_Type')) }, ['1 !DAG is missing']],
    [
      'two workflows',
      { ...HAND, dag: `${DAG}${DAG}` },
      ['31 !DAG exists more than once; the generator would use the last'],
    ],
    [
      'no type of a dataset',
      withDag(/--- !Dataset_Type\n(.*\n){4}/, ''),
      ['12 !DAG.dataset_type_nodes[0] names Classes, but there is no such !Dataset_Type'],
    ],
    [
      'no instance of an algorithm',
      { ...HAND, algorithms: '' },
      ['11 !DAG.alg_type_nodes[0] names Classify, but there is no such !Algorithm_Instance'],
    ],
    [
      'an instance twice',
      { ...HAND, algorithms: ALGORITHMS + ALGORITHMS },
      ['10 !Algorithm_Instance.type is Classify for the second time; the generator would use the last'],
    ],
    [
      'an algorithm that is not a node',
      withDag(/alg_type_nodes:\n.*\n/, 'alg_type_nodes: []\n'),
      ['19 !Algorithm_Type.id is Classify, which has datasets but is not a node of the workflow'],
    ],
    [
      'a dataset that is not a node',
      withDag('[Classes]', '[]'),
      [
        '28 !Algorithm_Type.outputs[0] is Classes, which is not a node of the workflow: the order of its algorithms would be lost',
      ],
    ],
    [
      'a cycle',
      withDag('input_datasets: null', 'input_datasets: [Classes]'),
      [
        '20 !Algorithm_Type is in a cycle of algorithms, or needs an algorithm in a cycle: the orchestrator rejects cycles',
      ],
    ],
    [
      'a node twice',
      withDag('- Classify', '- Classify\n  - Classify'),
      ['12 !DAG.alg_type_nodes[1] names Classify for the second time: a workflow has each task once'],
    ],
    [
      'an algorithm that depends on an unknown one',
      withDag('input_datasets: null', 'depends_on: [Clean]'),
      ['26 !Algorithm_Type.depends_on[0] is Clean, but there is no such !Algorithm_Type: the dependency would be lost'],
    ],
    [
      'an algorithm that depends on itself',
      withDag('input_datasets: null', 'depends_on: [Classify]'),
      [
        '20 !Algorithm_Type is in a cycle of algorithms, or needs an algorithm in a cycle: the orchestrator rejects cycles',
      ],
    ],
    [
      'an instance without a type',
      { ...HAND, algorithms: ALGORITHMS + ALGORITHMS.replace('Classify', 'Other') },
      ['10 !Algorithm_Instance.type refers to Other, but there is no such !Algorithm_Type'],
    ],
    [
      'a dataset without a type',
      { ...HAND, datasets: '--- !Dataset_Instance\ntype_id: Other\nversion: 1\nregion: pan_india\nasset_id: a\n' },
      ['2 !Dataset_Instance.type_id refers to Other, but there is no such !Dataset_Type'],
    ],
    [
      'a dataset in the first file',
      { ...HAND, dag: `${DAG}--- !Dataset_Instance\ntype_id: Classes\n` },
      ['30 !Dataset_Instance is in stacd_dag.yaml, where the generator ignores it or stops'],
    ],
  ])('%s', (_, texts, expected) => {
    expect(seen(texts)).toEqual(expected);
  });

  it('do not apply to an algorithm that has no datasets and is not part of the workflow', () => {
    expect(readWorkflowFiles({ ...HAND, dag: DAG + ANOTHER }).kind).toBe('read');
  });
});

it('readWorkflowFiles reports the faults of all three files together, each with file, line, field, problem and remedy', () => {
  const faults = readFaults({
    dag: replaced(replaced(DAG, 'GEEAsset', 'Shapefile'), 'id: my-workflow', 'id: "a b"'),
    algorithms: replaced(ALGORITHMS, 'yes', '"true"'),
    datasets: '--- !Dataset_Instance\ntype_id: Classes\nversion: 1\nregion: Bihar\nasset_id: a\n',
  });
  expect(faultLines(faults).map((line) => line.split(' ', 2).join(' '))).toEqual([
    'stacd_dag.yaml:3 !DAG.id',
    'stacd_dag.yaml:17 !Dataset_Type.format',
    'stacd_algorithm_repo.yaml:7 !Algorithm_Instance.execution_modes.api.enabled',
    'stacd_dataset_repo.yaml:4 !Dataset_Instance.region',
  ]);
  expect(faults[2]).toEqual({
    file: 'stacd_algorithm_repo.yaml',
    line: 7,
    field: '!Algorithm_Instance.execution_modes.api.enabled',
    problem: 'is the string "true", not boolean',
    remedy: 'write true or false without quotation marks',
  });
});

it('readWorkflowFiles rejects a file that was written and then made invalid', () => {
  const texts = landCoverTexts();
  const faults = readFaults({ ...texts, algorithms: replaced(texts.algorithms, 'priority: 1', 'priority: 2') });
  expect(faultLines(faults)).toEqual([
    expect.stringContaining('execution_modes has two enabled modes without different priorities'),
  ]);
});
