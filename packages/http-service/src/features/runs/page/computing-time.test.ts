import { describe, expect, it } from 'vitest';
import { sayIn } from '../../../pages/texts.ts';
import { timeText } from './run-page.ts';

const final = (seconds: number) => ({ eecu_seconds: seconds, eecu_final: true, eecu_reason: null });

describe('the computing time on the page of a run', () => {
  it.each([
    [0, '0'],
    [0.04, '0.04'],
    [0.000000123456, '0.000000123'],
    [4.56789, '4.57'],
    [12345.67, '12345.7'],
    [1e9, '1000000000'],
  ])('is shown without an exponent, and not as 0 unless it is 0: %d', (seconds, text) => {
    expect(timeText(final(seconds), sayIn('en'))).toBe(`${text} EECU-seconds`);
    expect(timeText(final(seconds), sayIn('hi'))).toBe(`${text} EECU सेकंड`);
  });

  it('is shown as the time so far until it is final, and with the reason if it is unknown', () => {
    const open = { ...final(2), eecu_final: false };
    expect(timeText(open, sayIn('en'))).toBe('2 EECU-seconds so far');
    expect(timeText(open, sayIn('hi'))).toBe('अब तक 2 EECU सेकंड');
    const unknown = { eecu_seconds: null, eecu_final: false, eecu_reason: 'The account was removed.' };
    expect(timeText(unknown, sayIn('en'))).toBe('unknown. The account was removed.');
  });
});
