import { createHash } from 'node:crypto';
import { storedValidation, type StoredValidation } from '@headwater/accuracy/report';
import { expect, test } from 'vitest';
import { SCRIPT_HEADERS } from '../../../pages/layout.ts';
import { tablePage } from './tables-page.ts';

const EVIL = '"><img src=x onerror=alert(1)>';

const figure = (
  name: string,
  [value, low, high]: readonly [number, number, number],
): Readonly<Record<string, number>> => ({
  [name]: value,
  [`${name}_low`]: low,
  [`${name}_high`]: high,
});

/** A validation in which texts of users contain markup. */
function validation(claim: string): StoredValidation | undefined {
  const counts = { mapped: 4, reference: 3, agreed: 3, mapped_ha: 100 };
  const rows = [
    {
      row: 'overall',
      claim,
      design: 'points',
      samples: 8,
      labels_sha256: 'ab12',
      layer_run_id: EVIL,
      layer_version: 3,
      ...figure('overall_accuracy', [0.875, 0.53, 0.978]),
      ...figure('kappa', [0.75, 0.3, 1]),
    },
    {
      row: `class:${EVIL}`,
      title: EVIL,
      color: '#00ff00',
      ...counts,
      ...figure('precision', [0.75, 0.301, 0.954]),
      ...figure('reference_ha', [75, 26.5, 123.5]),
      [`label_${EVIL}`]: 3,
      label_towns: 1,
    },
    { row: 'class:towns', title: 'Towns', color: EVIL, ...counts, label_towns: 4, [`label_${EVIL}`]: 0 },
    { row: `left_out:${EVIL}`, title: EVIL, samples: 2 },
    { row: 'left_out:repeated', title: 'Twice', samples: 0 },
  ];
  return storedValidation({ key: 'row', rows });
}

const pageOf = async (claim: string): Promise<string> => {
  const shown = {
    prefix: '/p',
    name: 'accuracy_v3',
    shell: { language: 'en' as const },
    above: [{ title: 'Tehsil', href: '/tehsil/' }],
    layer: { title: `Cover ${EVIL}`, href: '/layer/' },
    key: 'row',
    columns: [{ name: 'row', unit: '', description: EVIL, isNumber: false }],
    rows: [[EVIL]],
    rowCount: 5,
    published: '22 November 2026',
    tableVersion: '2',
    self: 'http://h/tables/accuracy_v3/',
    csv: '/tables/accuracy_v3/?format=csv',
    version: '1',
  };
  return String(await tablePage({ ...shown, validation: validation(claim) }));
};
const textOf = async (claim: string): Promise<string> => (await pageOf(claim)).replace(/\s+/g, ' ');

test('the page of a validation table is a report with its figures', async () => {
  const page = await textOf('accuracy');
  expect(page).toContain('<h1 lang="en">Accuracy of Cover &quot;&gt;&lt;img');
  expect(page).toContain('<span>Overall accuracy, by count</span><b>87.5 %</b><span>(53.0 to 97.8)</span>');
  expect(page).toContain('<span>Kappa</span><b>0.750</b><span>(0.300 to 1.000)</span>');
  expect(page).toContain('75.0 % (30.1 to 95.4)');
  expect(page).toContain('75 (26.5 to 124)');
  expect(page).toContain('<td class="s7">3</td> <td class="o5">1</td>');
  expect(page).toContain('<dd>8 compared as points, 2 left out</dd>');
  expect(page).toContain('Published</dt> <dd>22 November 2026');
  expect(page).toContain('fill="#00ff00"');
  expect(page).not.toContain('Twice');
});

test('texts that users wrote into a validation are escaped', async () => {
  const page = await textOf('accuracy');
  expect(page).not.toMatch(/<img src=x/);
  expect(page.match(/&lt;img src=x/g)?.length).toBeGreaterThan(8);
});

test('the page of a validation that measures consistency, not accuracy, states this first', async () => {
  const page = await textOf('consistency');
  expect(page).toContain('<h1 lang="en">Consistency, not accuracy: Cover');
  expect(page).toContain('<p class="notice">This is consistency, not accuracy');
  expect(page.match(/This is consistency, not accuracy/g)).toHaveLength(1);
});

test('the content security policy allows the styles of the report', async () => {
  const styles = [...(await pageOf('accuracy')).matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text);
  expect(styles).toHaveLength(2);
  for (const text of styles) {
    const hash = createHash('sha256').update(text).digest('base64');
    expect(SCRIPT_HEADERS['content-security-policy']).toContain(`'sha256-${hash}'`);
  }
});
