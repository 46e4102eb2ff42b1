import { expect, it } from 'vitest';
import { ALL_TEXTS, sayIn } from './texts.ts';

const places = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

it.each(Object.entries(ALL_TEXTS))('%s exists in both languages, with the same placeholders', (_name, { en, hi }) => {
  expect(places(hi)).toEqual(places(en));
  expect(en).toMatch(/^[ -~]+$/);
  expect(hi).toMatch(/\p{Script=Devanagari}/u);
});

it('values in a text are not read as placeholders', () => {
  expect(sayIn('en')('placeLine', { tehsil: '{state}', district: '$&', state: 'S' })).toBe(
    'Tehsil {state}, district $&, state S',
  );
});
