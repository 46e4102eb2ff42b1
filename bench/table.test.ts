import { describe, expect, it } from 'vitest';
import { runContest } from './contest.ts';
import { isWanted, readOptions } from './options.ts';
import { absentPeers, formatTable, jsonRows, judge, median } from './table.ts';

const rates = { name: 'row', unit: 'Mpix/s', better: 'more', bar: 0.5 } as const;

describe('judge', () => {
  it('compares medians, so one slow round has no effect', () => {
    const row = judge({ ...rates, ours: [60, 50, 1, 55, 61], peer: { name: 'p', rounds: [100, 110, 90, 2, 105] } });
    expect(row).toMatchObject({ ours: 55, peer: 100, ratio: 0.55, pass: true, spread: '1.00..61.0 | 2.00..110' });
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow(/no median/);
  });

  it('passes a ratio that equals the bar and fails a lower one; a ratio above 1 means better for every unit', () => {
    const at = (ours: number): boolean | null =>
      judge({ ...rates, ours: [ours], peer: { name: 'p', rounds: [100] } }).pass;
    expect([at(50), at(49.9)]).toEqual([true, false]);
    const seconds = judge({ ...rates, unit: 's', better: 'less', ours: [20], peer: { name: 'p', rounds: [10] } });
    expect(seconds).toMatchObject({ ratio: 0.5, pass: true });
  });

  it('lists skipped rows, and rows whose ratio needs a missing peer; does not list rows with a ceiling or without a bar', () => {
    const alone = judge({ ...rates, name: 'alone', ours: [5], peer: undefined });
    const most = judge({ ...rates, name: 'most', ceiling: true, ours: [5], peer: undefined });
    const free = judge({ ...rates, name: 'free', bar: null, ours: [5], peer: undefined });
    expect(absentPeers([alone, most, free], ['alone', 'most', 'free'])).toEqual(['alone']);
    expect(absentPeers([], ['skipped'])).toEqual(['skipped']);
  });

  it('gives no verdict without a peer or without a bar', () => {
    expect(judge({ ...rates, ours: [5], peer: undefined })).toMatchObject({ peer: null, ratio: null, pass: null });
    expect(judge({ ...rates, bar: null, ours: [5], peer: { name: 'p', rounds: [1] } }).pass).toBeNull();
  });

  it('compares our result with a ceiling, without the peer', () => {
    const ceiling = { ...rates, unit: 'MiB', better: 'less', bar: 1536, ceiling: true, peer: undefined } as const;
    expect(judge({ ...ceiling, ours: [1536] }).pass).toBe(true);
    expect(judge({ ...ceiling, ours: [1537] }).pass).toBe(false);
  });
});

describe('runContest', () => {
  it('alternates sides and does not count the warm-up; the first row compares us with the fastest peer that uses our method', async () => {
    const calls: string[] = [];
    const side = (name: string, values: number[]) => () => {
      calls.push(name);
      return Promise.resolve(values.shift() ?? Number.NaN);
    };
    const rows = await runContest({
      ...rates,
      rounds: 2,
      ours: side('ours', [999, 10, 10]),
      peers: [
        { name: 'slow', round: side('slow', [999, 5, 5]), label: 'slow' },
        { name: 'fast', round: side('fast', [0, 8, 8]), label: 'fast' },
        { name: 'other', round: side('other', [0, 80, 80]), rule: false, label: 'other' },
      ],
    });
    const names = ['ours', 'slow', 'fast', 'other'];
    expect(calls).toEqual([...names, ...names, ...names.toReversed()]);
    expect(rows.map(({ name, peerName, ratio, bar }) => [name, peerName, ratio, bar])).toEqual([
      ['row', 'fast', 1.25, 0.5],
      ['row_vs_slow', 'slow', 2, null],
      ['row_vs_other', 'other', 0.125, null],
    ]);
  });

  it('divides the processor time of the peer by ours; returns null if the time of the peer is unknown or too short', async () => {
    let [mine, theirs] = [0, 0];
    const contest = { ...rates, rounds: 2, ours: () => Promise.resolve(1), cpu: () => (mine += 0.25) };
    const peer = { name: 'peer', round: () => Promise.resolve(1) };
    const ratios = async (cpu: () => number | null): Promise<number | null | undefined> =>
      (await runContest({ ...contest, peers: [{ ...peer, cpu }] }))[0]?.cpuRatio;
    expect(await ratios(() => (theirs += 0.5))).toBe(2);
    expect(await ratios(() => (theirs += 0.001))).toBeNull();
    expect(await ratios(() => null)).toBeNull();
  });

  it('shows only our result if every peer is missing', async () => {
    const rows = await runContest({ ...rates, rounds: 1, ours: () => Promise.resolve(3), peers: [] });
    expect(rows).toMatchObject([{ name: 'row', ours: 3, peer: null, pass: null }]);
  });
});

describe('output', () => {
  const row = judge({ ...rates, ours: [1 / 3], peer: { name: 'p', rounds: [1] } });

  it('returns JSON rows with exactly the documented members', () => {
    expect(jsonRows([row])).toEqual([
      { name: 'row', unit: 'Mpix/s', ours: 0.3333, peer: 1, peerName: 'p', ratio: 0.3333, bar: 0.5, pass: false },
    ]);
  });

  it('prints NO for a missed bar', () => {
    expect(formatTable([row]).split('\n')[2]).toMatch(/^row +Mpix\/s +0\.33 +1\.00 +0\.33 +- +0\.5 +NO/);
  });
});

describe('readOptions', () => {
  it('reads flags and chooses rows by a part of their name', () => {
    const options = readOptions(['--only', 'ndvi,cog', '--rounds', '7', '--strict']);
    expect(options).toMatchObject({ only: ['ndvi', 'cog'], rounds: 7, strict: true, json: undefined });
    expect(['ndvi', 'cog_write', 'zonal'].map((name) => isWanted(name, options))).toEqual([true, true, false]);
    expect(readOptions([]).rounds).toBe(5);
  });

  it.each([[['--rounds', '0']], [['--rounds', 'many']], [['--nope']]])('rejects %j', (argv) => {
    expect(() => readOptions(argv)).toThrow(/rounds|nope/);
  });
});
