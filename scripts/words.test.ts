import { expect, it } from 'vitest';
import { refusedWords, titleFault } from './words.mjs';

it('refusedWords finds refused words and openings with their lines', () => {
  const text = '/** How long it takes. */\nconst told = 1;\n/** Reads it anew. */\n/**\n * What it is.\n */';
  expect(refusedWords(text).map(({ line, word }) => [line, word])).toEqual([
    [1, 'How'],
    [2, 'told'],
    [3, 'anew'],
    [4, 'What'],
  ]);
});

it('refusedWords accepts plain sentences, and longer words that contain a refused word', () => {
  expect(refusedWords('/** Progress of the untold bedside table. */ // besides')).toEqual([]);
});

it.each([
  ['Limit waiting requests', undefined],
  ['Embed the server', undefined],
  ['limit waiting requests', 'begins with a small letter'],
  ['Limited the requests', 'begins with "Limited"; use the imperative'],
  [`Limit ${'x'.repeat(70)}`, 'has 76 characters; at most 72'],
  ['Make files anew', 'has "anew": rare word; better: again'],
])('titleFault judges the commit title %j', (title, fault) => {
  expect(titleFault(title)).toBe(fault);
});
