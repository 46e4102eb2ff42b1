import { DomainError, type StoredTable } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { tehsilWorkbook } from './tehsil-workbook.ts';

const away = new DomainError('unavailable', 'the database is unavailable');
const TABLE: StoredTable = {
  name: 'annual',
  tehsilId: 1,
  key: 'uid',
  columns: [{ name: 'uid', type: 'text', description: 'Micro-watershed' }],
  itemId: null,
  rowCount: 1,
  runId: 'r1',
  version: 1,
  publishedAt: '2026-01-01T00:00:00Z',
  rows: [{ uid: '12_1' }],
};
const HEADS = ['annual', 'monthly'].map((name) => ({ tehsilId: 1, name }));

describe('the workbook of a tehsil', () => {
  it('rejects before the response begins if the first table cannot be read', async () => {
    await expect(tehsilWorkbook({ table: () => Promise.reject(away) }, HEADS)).rejects.toBe(away);
  });

  it('ends with an error if a later table cannot be read', async () => {
    const table = async (_tehsilId: number, name: string): Promise<StoredTable> => {
      if (name !== 'annual') throw away;
      return TABLE;
    };
    const stream = await tehsilWorkbook({ table }, HEADS);
    await expect(new Response(stream).arrayBuffer()).rejects.toBe(away);
  });

  it('has a sheet for each table, including the first', async () => {
    const read: string[] = [];
    const table = async (_tehsilId: number, name: string): Promise<StoredTable> => {
      read.push(name);
      return { ...TABLE, name };
    };
    const bytes = Buffer.from(await new Response(await tehsilWorkbook({ table }, HEADS)).arrayBuffer());
    expect(read).toEqual(['annual', 'monthly']);
    expect(bytes.toString('latin1')).toContain('xl/worksheets/sheet2.xml');
  });
});
