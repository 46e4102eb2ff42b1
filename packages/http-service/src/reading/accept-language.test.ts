import { expect, it } from 'vitest';
import { languageOf, requestLanguage } from './accept-language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['hi', 'hi'],
  ['hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
  ['en-GB, hi;q=0.9', 'en'],
  ['HI', 'hi'],
  ['en;q=0.2, hi;q=0.3', 'hi'],
  ['fr, *;q=0.5, hi;q=0.4', 'en'],
  ['ta, hi;q=0.1', 'hi'],
  ['hi;q=0', 'en'],
  ['hi;q=nonsense', 'en'],
  ['his', 'en'],
  [['ta', 'hi'], 'hi'],
])('the Accept-Language header %j selects %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

it('finds a language that is added to the list of languages', () => {
  expect(languageOf('mr-IN, hi;q=0.9', ['en', 'hi', 'mr'])).toBe('mr');
});

it('a known language in the address takes precedence over the header', () => {
  expect(requestLanguage('uid=1&lang=hi', 'en')).toBe('hi');
  expect(requestLanguage('lang=en', 'hi')).toBe('en');
  expect(requestLanguage('lang=fr', 'hi')).toBe('hi');
  expect(requestLanguage('lang=%ff', 'hi')).toBe('hi');
});
