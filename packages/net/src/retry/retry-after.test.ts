import { describe, expect, it } from 'vitest';
import { httpDate, retryAfterMs } from './retry-after.ts';

describe('a Retry-After header', () => {
  it('accepts an HTTP date and a number of seconds', () => {
    const now = Date.parse('2026-11-23T10:00:00Z');
    expect(retryAfterMs('120', now)).toBe(120_000);
    expect(retryAfterMs('Mon, 23 Nov 2026 10:00:05 GMT', now)).toBe(5000);
    expect(retryAfterMs('Mon, 23 Nov 2026 09:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('Mon Nov 23 10:00:05 2026', now)).toBe(5000);
    for (const text of [null, '', 'soon', '-1']) expect(retryAfterMs(text, now)).toBeUndefined();
  });
});

describe('a Retry-After date', () => {
  it("is compared with the response's own date", () => {
    const sent = httpDate('Mon, 23 Nov 2026 09:59:00 GMT') ?? Number.NaN;
    expect(retryAfterMs('Mon, 23 Nov 2026 10:00:05 GMT', sent)).toBe(65_000);
  });

  it.each(['2026', '23 Nov 2026 10:00:05 GMT', '1.5', 'Soonday, 99 Foo 2026', ''])('is not %j', (text) => {
    expect([httpDate(text), retryAfterMs(text === '2026' ? '-2026' : text, 0)]).toEqual([undefined, undefined]);
  });

  it.each(['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'may be %j',
    (text) => {
      expect(httpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );
});
