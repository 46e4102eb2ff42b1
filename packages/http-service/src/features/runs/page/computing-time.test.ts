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
  ])('is shown without an exponent, and as 0 only if it is 0: %d', (seconds, text) => {
    expect(timeText(final(seconds), sayIn('en'))).toBe(`${text} EECU-seconds`);
    expect(timeText(final(seconds), sayIn('hi'))).toBe(`${text} EECU सेकंड`);
  });

  it('is shown as the time so far until it is final, and with the reason if it is unknown', () => {
    const open = { ...final(2), eecu_final: false };
    expect(timeText(open, sayIn('en'))).toBe('2 EECU-seconds so far');
    expect(timeText(open, sayIn('hi'))).toBe('अब तक 2 EECU सेकंड');
    expect(timeText({ ...open, eecu_reason: 'HTTP 503.' }, sayIn('en'))).toBe('2 EECU-seconds so far. HTTP 503.');
    const unknown = { eecu_seconds: null, eecu_final: false, eecu_reason: 'The account was removed.', tehsils: null };
    expect(timeText(unknown, sayIn('en'))).toBe('unknown. The account was removed.');
  });

  it('contains the numbers of tehsils with and without a time, and the reason of one tehsil instead of the text of eecu_reason', () => {
    const problem = 'HTTP 403. Give the role Monitoring Viewer.';
    const tehsils = { all: 40, measured: 31, final: 30, missing: 4, unknown: 2, without: 3, problem };
    const open = { ...final(2), eecu_final: false, eecu_reason: `Sentences of the API. ${problem}`, tehsils };
    const rest =
      'Tehsils whose time is not known yet: 4. Tehsils whose time stays unknown: 2. Tehsils that read no scenes from Earth Engine: 3.';
    expect(timeText(open, sayIn('en'))).toBe(`2 EECU-seconds so far. Sum of 31 of 40 tehsils. ${rest} ${problem}`);
    const none = { ...open, eecu_seconds: null, tehsils: { ...tehsils, measured: 0 } };
    expect(timeText(none, sayIn('en'))).toBe(`unknown. ${rest} ${problem}`);
    expect(timeText(open, sayIn('hi'))).toMatch(/40 में से 31 तहसीलों का योग।[^]* 4।[^]* 2।[^]* 3।[^]*Viewer/);
  });

  it('has no sentence about a count of 0 tehsils', () => {
    const tehsils = { all: 2, measured: 2, final: 2, missing: 0, unknown: 0, without: 0, problem: null };
    expect(timeText({ ...final(2), tehsils }, sayIn('en'))).toBe('2 EECU-seconds. Sum of 2 of 2 tehsils.');
  });
});
