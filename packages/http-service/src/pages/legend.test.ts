import { expect, it } from 'vitest';
import { legendChart } from './chart.ts';

const shown = (title: string, share?: number) => ({ title, description: '', color: '#123456', share });

it('a legend with shares has a row for each class that occurs, and one line with the names of the others', async () => {
  const text = String(
    await legendChart([shown('Order 1', 60), shown('Order 2', 40), shown('Order 3', 0)], 'Legend', { language: 'en' }),
  );
  expect(text.match(/scope="row"/g)).toHaveLength(2);
  expect(text).toMatch(/Not in this layer:\s*<span lang="en">Order 3</);
});

it('a legend without shares, or in which every share is 0, shows every class', async () => {
  for (const classes of [
    [shown('Order 1'), shown('Order 2')],
    [shown('Order 1', 0), shown('Order 2', 0)],
  ]) {
    const text = String(await legendChart(classes, 'Legend', { language: 'en' }));
    expect(text.match(/scope="row"/g)).toHaveLength(2);
    expect(text).not.toContain('Not in this layer');
  }
});

it('titles that the catalogue has are translated, others are marked as English', async () => {
  const text = String(await legendChart([shown('Built-up', 60), shown('Order 2', 40)], 'Legend', { language: 'hi' }));
  expect(text).toContain('<span>निर्मित क्षेत्र</span>');
  expect(text).toContain('<span lang="en">Order 2</span>');
});

it('a class whose picture can be shown alone is a link, and the shown class is marked', async () => {
  const classes = [
    { ...shown('Order 1', 60), value: 1 },
    { ...shown('Order 2', 40), value: 2 },
    { ...shown('Order 3', 0), value: 3 },
  ];
  const links = { to: (value: number) => (value === 1 ? undefined : `?class=${value}`), current: 2 };
  const text = String(await legendChart(classes, 'Legend', { language: 'en', links }));
  expect(text.match(/<a /g)).toHaveLength(1);
  expect(text).toMatch(/<a href="\?class=2"\s+aria-current="true"\s*><span lang="en">Order 2<\/span><\/a\s*>/);
});
