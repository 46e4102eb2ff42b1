import { describe, expect, it } from 'vitest';
import { newRunId } from './run-id.ts';

describe('newRunId', () => {
  it('is a UUID of version 7, which contains the time of its creation', () => {
    const now = new Date('2026-11-21T04:00:00.123Z');
    const id = newRunId(now);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(now.getTime());
  });

  it('sorts by time and does not repeat', () => {
    const ids = Array.from({ length: 100 }, (_, ms) => newRunId(new Date(1_800_000_000_000 + ms)));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 100 }, () => newRunId(new Date(0)))).size).toBe(100);
  });
});
