// Reads the written files as the generator of DAGs does: with PyYAML and a class for each tag.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { DESCRIPTION, LAND_COVER } from './description.fixture.ts';
import { landCoverTexts } from './workflow.test-helper.ts';

const READ = `
import datetime, json, sys, yaml
class Tagged(yaml.YAMLObject):
    pass
for tag in ['DAG', 'Dataset_Type', 'Algorithm_Type', 'Algorithm_Instance', 'Dataset_Instance']:
    type(tag, (Tagged,), {'yaml_tag': '!' + tag})
texts = json.load(sys.stdin)
plain = lambda item: {'tag': item.yaml_tag, **item.__dict__} if isinstance(item, Tagged) else 'date ' + item.isoformat()
print(json.dumps({name: list(yaml.load_all(text, Loader=yaml.FullLoader)) for name, text in texts.items()}, default=plain))
`;
const found = spawnSync('python3', ['-c', 'import yaml']);
const reason = found.error?.message ?? found.stderr.toString().trim().split('\n').at(-1);
if (found.status !== 0) console.log(`skipped the test of the written files: PyYAML cannot be loaded (${reason})`);

it.skipIf(found.status !== 0)('PyYAML reads the written files with the right types of texts and days', () => {
  const { stdout, stderr } = spawnSync('python3', ['-X', 'utf8', '-c', READ], {
    input: JSON.stringify(landCoverTexts()),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const read: unknown = JSON.parse(stdout);
  expect(read).toMatchObject({
    dag: [
      {
        tag: '!DAG',
        name: LAND_COVER.title,
        version: '1',
        params: ['job_id', 'run_token', 'state', 'start_year', 'region'],
      },
      { tag: '!Dataset_Type', id: 'Micro_Watersheds' },
      { tag: '!Dataset_Type', id: 'Boundary', name: 'yes', description: '2026-01-01' },
      { tag: '!Dataset_Type', id: 'Land_Cover' },
      { tag: '!Algorithm_Type', description: LAND_COVER.description, outputs: ['Land_Cover'] },
    ],
    algorithms: [
      {
        tag: '!Algorithm_Instance',
        date: `date ${DESCRIPTION.date}`,
        execution_modes: { api: { enabled: true, priority: 1 }, docker: { enabled: true, priority: 2 } },
      },
    ],
    datasets: [{ tag: '!Dataset_Instance', region: 'pan_india', version: '1' }],
  });
});
