import { expect, it } from 'vitest';
import { LANGUAGE_FACTS, LANGUAGES } from '../wire/words.ts';
import { ADMIN_DATA_TEXTS } from './admin-data-texts.ts';
import { ADMIN_PEOPLE_TEXTS } from './admin-people-texts.ts';
import { ADMIN_WORK_TEXTS } from './admin-work-texts.ts';
import { ADMIN_TEXTS } from './admin-texts.ts';
import { COMPUTE_TEXTS } from './compute-texts.ts';
import { ESTIMATE_TEXTS } from './estimate-texts.ts';
import { DATA_TEXTS } from './data-texts.ts';
import { MAP_TEXTS } from './map-texts.ts';
import { PLACE_TEXTS } from './place-texts.ts';
import { SCREEN_TEXTS } from './screen-texts.ts';
import { CREDENTIAL_TEXTS } from './credential-texts.ts';
import { PIPELINE_TEXTS } from './pipeline-texts.ts';
import { SENTENCE_TEXTS } from '../wire/sentence-texts.ts';
import { SHEET_TEXTS } from './sheet-texts.ts';
import { ALL_TEXTS, localText, joinedTexts, sayIn, sentenceIn } from './texts.ts';
import { dayText } from './words.ts';

const places = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

it.each(Object.entries(ALL_TEXTS))('%s exists in both languages, with the same placeholders', (name, { en, hi }) => {
  // The Hindi translation of an API sentence may leave out a placeholder, such as a route that only programs need.
  if (Object.hasOwn(SENTENCE_TEXTS, name)) expect(places(en)).toEqual(expect.arrayContaining([...places(hi)]));
  else expect(places(hi)).toEqual(places(en));
  expect(en).toMatch(/^[ -~“”]+$/);
  if (/[a-z]/i.test(en.replace(/\{\w+\}/g, ''))) expect(hi).toMatch(/\p{Script=Devanagari}/u);
});

it.each([
  [/micro-watershed/i, /सूक्ष्म जलग्रहण/, /जलागम/],
  [/water bod(?:y|ies)/i, /जल निकाय/, /जलाशय/],
  [/Earth-observation account/, /पृथ्वी-प्रेक्षण खा/, /अवलोकन/],
])('all texts that match %s use the same Hindi term', (english, hindi, other) => {
  const texts = Object.values(ALL_TEXTS).filter(({ en }) => english.test(en));
  expect(texts.length).toBeGreaterThan(2);
  for (const { en, hi } of texts) expect([en, hi]).toEqual([en, expect.stringMatching(hindi)]);
  for (const { hi } of Object.values(ALL_TEXTS)) expect(hi).not.toMatch(other);
});

it('no two parts of the catalogue have a text of the same name, because the later one would replace the other', () => {
  const parts = [
    SHEET_TEXTS,
    SCREEN_TEXTS,
    PLACE_TEXTS,
    COMPUTE_TEXTS,
    ESTIMATE_TEXTS,
    ADMIN_TEXTS,
    ADMIN_DATA_TEXTS,
    ADMIN_PEOPLE_TEXTS,
    ADMIN_WORK_TEXTS,
    CREDENTIAL_TEXTS,
    PIPELINE_TEXTS,
    SENTENCE_TEXTS,
    MAP_TEXTS,
    DATA_TEXTS,
  ];
  for (const part of parts)
    for (const [name, text] of Object.entries(part)) expect([name, ALL_TEXTS[name]]).toEqual([name, text]);
});

it('values in a text are not read as placeholders', () => {
  expect(sayIn('en')('placeLine', { tehsil: '{state}', district: '$&', state: 'S' })).toBe(
    'Tehsil {state}, district $&, state S',
  );
});

it('a sentence of the API is found by its text, also with values; other sentences stay in English', () => {
  expect(sentenceIn('This field is required.', 'hi')).toBe('यह भरना आवश्यक है।');
  expect(sentenceIn('Must be one of red, $&.', 'hi')).toBe('इनमें से एक चुनें: red, $&।');
  expect(sentenceIn('Must be at least 1.', 'hi')).toBe('कम से कम 1 लिखें।');
  expect(sentenceIn('Must be at most 50.', 'hi')).toBe('अधिक से अधिक 50 लिखें।');
  expect(sentenceIn('Must be html or json.', 'hi')).toBe('html या json लिखें।');
  const ofFile =
    'The uploaded file belongs to a@b.test, but this field has c@d.test; use the e-mail address in the file, or upload the file of c@d.test.';
  expect(sentenceIn(ofFile, 'hi')).toMatch(/^अपलोड की गई फ़ाइल a@b\.test की है, पर यहाँ c@d\.test .* c@d\.test की/);
  for (const [text, language] of [
    ['Must be one of red, blue.', 'en'],
    ['is refused; write another one.', 'hi'],
    ['Note: This field is required.', 'hi'],
  ] as const)
    expect(sentenceIn(text, language)).toBe(text);
});

it('a text of a resource has each language, also in its parts', () => {
  const reasons = joinedTexts([localText('tablesOrSeries'), { en: 'notes' }]);
  expect(localText('numberOf', { of: reasons, total: 2 })).toEqual({
    en: 'tables or series, notes: 2',
    hi: 'तालिकाएँ या शृंखलाएँ, notes: 2',
  });
});

it('every language has its own link text, and tags that dates and numbers can be formatted with', () => {
  expect(new Set(LANGUAGES.map((language) => LANGUAGE_FACTS[language].link)).size).toBe(LANGUAGES.length);
  for (const language of LANGUAGES) {
    expect(dayText('2022-07-01T00:00:00Z', language)).toContain('2022');
    expect(Intl.NumberFormat.supportedLocalesOf(LANGUAGE_FACTS[language].numbers)).toHaveLength(1);
  }
});
