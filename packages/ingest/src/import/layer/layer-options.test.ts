import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkLayerOptions } from './layer-options.ts';

const README = new URL('../README.md', import.meta.url);

function problemsOf(options: unknown): string {
  try {
    checkLayerOptions(options);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

it('accepts the example of the documentation, which has every member', () => {
  const [, block = ''] = /```json\n(.*?)```/s.exec(readFileSync(README, 'utf8')) ?? [];
  const example: unknown = JSON.parse(block);
  expect(checkLayerOptions(example)).toEqual(example);
});

it('describes each missing or wrong member in a sentence', () => {
  expect(problemsOf({ name: 'drainage', workspace: 'drainage', license: 'CC0-1.0', providers: [{}] })).toBe(
    'dataset: is missing; write it as text. title: is missing; write it as text. description: is missing; write it as text. ' +
      'providers.0.name: is missing; write it as text. start: is missing; write a day such as 2021-07-01. ' +
      'end: is missing; write a day such as 2021-07-01.',
  );
  const wrong = {
    name: 7,
    workspace: 'w'.repeat(101),
    dataset: ' ',
    title: 't'.repeat(201),
    description: null,
    license: ['CC0-1.0'],
    providers: [
      { name: 'A', url: 'ftp://a', roles: ['painter'] },
      { name: 'B', colour: 'red' },
    ],
    start: '2021-02-30',
    end: '2021-07-01',
    classes: [
      { value: 300, name: 'a', title: 'A', color: 'red' },
      { value: 1.5, name: 'b', title: 'B', color: '#000000' },
    ],
    keywords: Array.from({ length: 51 }, () => 'k'),
  };
  expect(problemsOf(wrong).split(/(?<=\.) (?=\S+: )/)).toEqual([
    'name: write text such as "drainage_lines".',
    'workspace: use only 1 to 100 letters, digits, _ and -, beginning with a letter or digit.',
    'dataset: is empty; write a text.',
    'title: is longer than 200 characters; shorten it.',
    'description: is missing; write it as text.',
    'license: write an SPDX identifier such as CC-BY-4.0.',
    'providers.0.roles.0: must be one of producer, licensor, processor, host.',
    'providers.0.url: write an address such as https://example.org.',
    'providers.1: has unknown members: colour; remove them.',
    'start: write a day such as 2021-07-01.',
    'keywords: has more than 50 entries; leave some out.',
    'classes.0.value: must be at most 255.',
    'classes.0.color: write the colour as #rrggbb.',
    'classes.1.value: must be a whole number.',
  ]);
  expect(problemsOf('drainage')).toMatch(
    /^options: must be an object with members; required are name, workspace, dataset, /,
  );
});
