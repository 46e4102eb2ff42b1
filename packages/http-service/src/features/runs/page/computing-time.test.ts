import { describe, expect, it } from 'vitest';
import { sayIn } from '../../../pages/texts.ts';
import { timeText } from './computing-time.ts';

const final = (seconds: number) => ({ eecu_seconds: seconds, eecu_final: true, eecu_reason: null, tehsils: null });

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
    const unknown = { eecu_seconds: null, eecu_final: false, eecu_reason: 'The account was removed.', tehsils: null };
    expect(timeText(unknown, sayIn('en'))).toBe('unknown. The account was removed.');
  });

  it('names the number of tehsils that the time of a district covers, also while it is unknown', () => {
    const tehsils = { all: 40, measured: 31, final: 30, missing: 6, without: 3 };
    const open = { ...final(2), eecu_final: false, tehsils };
    const covered = 'Sum of 31 of 40 tehsils; the time of 6 is not known yet, and 3 read no scenes there.';
    expect(timeText(open, sayIn('en'))).toBe(`2 EECU-seconds so far. ${covered}`);
    expect(timeText({ ...open, eecu_seconds: null }, sayIn('en'))).toBe(`unknown. ${covered}`);
    expect(timeText(open, sayIn('hi'))).toMatch(/40 में से 31 तहसीलों का योग; 6 [^]* 3 /);
  });
});
