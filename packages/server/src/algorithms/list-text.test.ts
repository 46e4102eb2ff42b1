import { expect, it } from 'vitest';
import { createPipelines } from '../pipelines.ts';
import { listText } from './list-text.ts';

it('lists every algorithm with its summary on a line, and its parameters below in lines of limited width', () => {
  const pipelines = createPipelines();
  const text = listText(pipelines, 60);
  for (const { name, summary } of pipelines) expect(text).toMatch(new RegExp(`^${name} +${summary.slice(0, 20)}`, 'm'));
  const parameters = text.split('\n').filter((line) => line.startsWith('    '));
  expect(parameters.filter((line) => line.length > 60)).toEqual([]);
  const [, shown = ''] = /^lulc_for_tehsil .*\n((?: {4}.*\n)+)/m.exec(text) ?? [];
  expect(shown.replaceAll(/\s+/g, ' ').trim()).toBe(
    '--state STRING --district STRING --block STRING --start_year INTEGER --end_year INTEGER --eo_account_id INTEGER ' +
      '[--region ARRAY] [--year INTEGER] [--base_scheme STRING=indiasat]',
  );
});
