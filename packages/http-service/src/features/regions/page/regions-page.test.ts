import { expect, it } from 'vitest';
import { type RegionsPageFacts, regionsPage } from './regions-page.ts';

const region = {
  place: 'region_0123456789abcdef',
  where: '78.5, 17.5',
  href: '/region',
  published: '',
  picture: undefined,
  layers: [],
  leads: undefined,
};

it.each([
  [[region], true],
  [[], false],
])('shows the command that removes a region only if there is a region', async (publications, hasCommand) => {
  const facts: RegionsPageFacts = {
    shell: { language: 'en' },
    baseUrl: 'http://localhost:8000',
    version: '1.0.0',
    number: 1,
    keptDays: 30,
    publications,
    pages: {},
    credits: [],
  };
  const text = String(await regionsPage(facts)).replaceAll('&quot;', '"');
  expect(text.includes('-X DELETE')).toBe(hasCommand);
  // In single quotation marks, the shell would not replace the variable.
  expect(text.includes('-H "Authorization: Bearer ${TOKEN:?sign in first}"')).toBe(hasCommand);
});
