import { expect, it } from 'vitest';
import { LANGUAGE_FACTS, LANGUAGES } from '../wire/words.ts';
import { ADMIN_TEXTS } from './admin-texts.ts';
import { COMPUTE_TEXTS } from './compute-texts.ts';
import { DATA_TEXTS } from './data-texts.ts';
import { MAP_TEXTS } from './map-texts.ts';
import { PLACE_TEXTS } from './place-texts.ts';
import { SCREEN_TEXTS } from './screen-texts.ts';
import { SHEET_TEXTS } from './sheet-texts.ts';
import { ALL_TEXTS, sayIn, type Translations } from './texts.ts';
import { dayText } from './words.ts';

const places = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

it.each(Object.entries(ALL_TEXTS))('%s exists in both languages, with the same placeholders', (_name, { en, hi }) => {
  expect(places(hi)).toEqual(places(en));
  expect(en).toMatch(/^[ -~]+$/);
  expect(hi).toMatch(/\p{Script=Devanagari}/u);
});

it('no two parts of the catalogue have a text of the same name, because the later one would replace the other', () => {
  const parts = [SHEET_TEXTS, SCREEN_TEXTS, PLACE_TEXTS, COMPUTE_TEXTS, ADMIN_TEXTS, MAP_TEXTS, DATA_TEXTS];
  for (const part of parts)
    for (const [name, text] of Object.entries(part)) expect([name, ALL_TEXTS[name]]).toEqual([name, text]);
});

it('values in a text are not read as placeholders', () => {
  expect(sayIn('en')('placeLine', { tehsil: '{state}', district: '$&', state: 'S' })).toBe(
    'Tehsil {state}, district $&, state S',
  );
});

it('a third language needs only one file of texts; texts that the file lacks are in English', () => {
  const marathi = { mr: { skip: 'मजकुराकडे जा', pageNumber: '{title}, पान {number}' } } satisfies Translations;
  const say = sayIn('mr', marathi);
  expect(say('skip')).toBe('मजकुराकडे जा');
  expect(say('pageNumber', { title: 'Places', number: '2' })).toBe('Places, पान 2');
  expect(say('breadcrumb')).toBe('Breadcrumb');
  expect(sayIn('hi', marathi)('skip')).toBe(sayIn('hi')('skip'));
});

it('every language has its own link, and its own forms of dates and numbers', () => {
  expect(new Set(LANGUAGES.map((language) => LANGUAGE_FACTS[language].link)).size).toBe(LANGUAGES.length);
  for (const language of LANGUAGES) {
    expect(dayText('2022-07-01T00:00:00Z', language)).toContain('2022');
    expect(Intl.NumberFormat.supportedLocalesOf(LANGUAGE_FACTS[language].numbers)).toHaveLength(1);
  }
});
