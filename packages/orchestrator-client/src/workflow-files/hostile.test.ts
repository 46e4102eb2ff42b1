import { describe, expect, it } from 'vitest';
import { MOST_CHARACTERS } from './parse-yaml.ts';
import { landCoverTexts, readFaults, faultLines } from './workflow.test-helper.ts';

const withDag = (dag: string) => ({ ...landCoverTexts(), dag });
const full = (text: string) => text.repeat(Math.floor(MOST_CHARACTERS / text.length));

/** Nine levels of names, each with ten references to the level below: 10^9 values in 500 characters. */
function billionLaughs(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const names = Array.from({ length: 10 }, () => (level === 0 ? 'laugh' : `*l${level - 1}`));
    return `l${level}: &l${level} [${names.join(', ')}]`;
  });
  return ['--- !DAG', ...levels, ''].join('\n');
}

describe('hostile files are rejected within limits of time and memory', () => {
  it.each<[string, string, string]>([
    ['a billion laughs', billionLaughs(), 'has anchors that cannot be followed'],
    ['an alias of nothing', '--- !DAG\nid: *missing\n', 'has anchors that cannot be followed'],
    [
      'an anchor that is used too often',
      `--- !DAG\na: &a x\nb: [${'*a,'.repeat(200)}]\n`,
      'has anchors that cannot be followed',
    ],
    ['lists in lists', full('['), 'is nested deeper than'],
    ['mappings in mappings', full('{a: '), 'is nested deeper than'],
    ['members in members', full('- '), 'is nested deeper than'],
    ['keys of keys', full('? '), 'is nested deeper than'],
    [
      'indents in indents',
      Array.from({ length: 700 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      'is nested deeper than',
    ],
    ['ten megabytes', 'id: a\n'.repeat((10 * 2 ** 20) / 6), 'has 10485756 characters; the maximum is 262144'],
    [
      'an object of Python',
      '--- !!python/object/apply:os.system ["true"]\n',
      'has a tag that the generator does not know',
    ],
    ['a key twice', '--- !DAG\nid: a\nid: b\n', 'is written twice in one mapping'],
    ['an open quotation mark', '--- !DAG\nid: "a\n', 'is not valid YAML'],
    ['bytes that are not text', '\u0000\u0001\u0002', 'has the character U+0000'],
    ['documents without tag', 'id: a\n', 'has no tag: the generator would ignore it'],
  ])('%s', (_, dag, problem) => {
    expect(faultLines(readFaults(withDag(dag))).join('\n')).toContain(problem);
  });

  it.each(['---\n', '!a ', '&a ', '"', ',', 'a,', '- a\n', '\n#'])('the maximum number of %j', (sign) => {
    expect(faultLines(readFaults(withDag(`[${full(sign).slice(1)}`)))[0]).toMatch(
      /has more than 50000 names|is not valid YAML/,
    );
  });

  it.each([
    ['keys', Array.from({ length: 8000 }, (_, key) => `k${key}: 1`).join('\n')],
    ['commas', `[${','.repeat(48_000)}`],
    ['members without tag', '- a\n'.repeat(12_000)],
    ['quotation marks', '"'.repeat(48_000)],
  ])('%s within the limits take at most 10 s of CPU time and yield at most 101 faults', (_, dag) => {
    const before = process.cpuUsage();
    const faults = readFaults(withDag(dag));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
    expect(faults.length).toBeLessThanOrEqual(101);
  });

  it('a long list that many algorithms share is checked within a few seconds', () => {
    const ids = Array.from({ length: 14_000 }, (_, id) => `d${id}`).join(',');
    const params = Array.from({ length: 100 }, (_, id) => `{name: p${id}}`).join(',');
    const head = 'name: a\n  version: 1\n  description: a\n  alg_type_nodes: []\n  dataset_type_nodes: &ids';
    const algorithm = (id: number, list: string) =>
      `- !Algorithm_Type\n  id: a${id}\n  name: a\n  params: ${list}\n  outputs: *ids\n`;
    const others = Array.from({ length: 18 }, (_, id) => algorithm(id + 1, '*params')).join('');
    const before = process.cpuUsage();
    const faults = readFaults(
      withDag(`- !DAG\n  id: a\n  ${head} [${ids}]\n${algorithm(0, `&params [${params}]`)}${others}`),
    );
    const { user, system } = process.cpuUsage(before);
    expect(faultLines(faults)[0]).toContain('names d0, but there is no such !Dataset_Type');
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  it('the number of unreported faults is reported', () => {
    const last = readFaults(withDag('- a\n'.repeat(1000))).at(-1);
    expect(last).toMatchObject({ line: 101, problem: 'has a fault, and 900 more follow' });
    expect(readFaults(withDag('- a\n'.repeat(100))).at(-1)).toMatchObject({ problem: 'has a fault' });
  });

  it('names such as __proto__ are harmless', () => {
    const faults = readFaults(withDag('--- !DAG\n__proto__: {id: a}\nconstructor: 1\n'));
    expect(faultLines(faults)).toContain('stacd_dag.yaml:2 !DAG.id is missing');
    expect(Reflect.get({}, 'id')).toBeUndefined();
  });
});
