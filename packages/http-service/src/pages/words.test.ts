import { expect, it } from 'vitest';
import { sayIn } from './texts.ts';
import { durationText } from './words.ts';

it.each([
  [0, '1 second'],
  [89.2, '90 seconds'],
  [90, '2 minutes'],
  [901, '16 minutes'],
  [7199, '120 minutes'],
  [7200, '2.0 hours'],
  [86_400, '24.0 hours'],
])('a duration of %d s is %s', (seconds, text) => {
  expect(durationText(seconds, sayIn('en'))).toBe(text);
});
