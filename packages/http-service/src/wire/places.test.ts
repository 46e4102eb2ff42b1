import { DomainError } from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import { createMemoryStores } from '@headwater/identity/memory';
import { beforeAll, describe, expect, it } from 'vitest';
import { toWire } from './wire-error.ts';

const { places } = createMemoryStores();
const below = { geometry: null, mws: [], villages: [] };

async function words(change: Readonly<Record<string, string>>): Promise<unknown> {
  const names = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur', ...change };
  const error: unknown = await findPlace(places, names).catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw new Error('expected a DomainError');
  const { status, message, fields, members } = toWire(error);
  return { status, message, fields, members };
}

describe('the error about an unknown place', () => {
  beforeAll(async () => {
    for (const tehsil of ['Lakhipur', 'Silchar']) {
      await places.saveBundle({ state: 'Assam', district: 'Cachar', tehsil, ...below });
    }
    for (let n = 0; n < 6; n += 1) {
      await places.saveBundle({ state: 'Kerala', district: `District ${n}`, tehsil: 'One', ...below });
    }
  });

  it('reports the level by its name in HTTP requests and suggests similar names', async () => {
    const sentence = '"Lakipur" is not a known block in Cachar. Did you mean Lakhipur?';
    expect(await words({ tehsil: ' Lakipur ' })).toEqual({
      status: 404,
      message: `block: ${sentence}`,
      fields: { block: [sentence] },
      members: { near: ['Lakhipur'] },
    });
  });

  it('lists the known names if no name is similar and the list is short', async () => {
    expect(await words({ state: 'Nowhere' })).toMatchObject({
      fields: { state: ['"Nowhere" is not a known state. Known: Assam, Kerala.'] },
      members: { near: [] },
    });
    expect(await words({ state: 'Kerala', district: 'xyz' })).toMatchObject({
      message:
        'district: "xyz" is not a known district in Kerala. 6 names are known there; get_states/, get_districts/ and get_blocks/ list them.',
    });
  });

  it('reports that no names are known', () => {
    const details = { kind: 'place', level: 'district', name: 'X', within: 'Goa', near: [], known: [] };
    const error = new DomainError('not_found', 'no', { details });
    expect(toWire(error).message).toBe(
      'district: "X" is not a known district in Goa. No names are known there; an operator must first import boundaries.',
    );
  });

  it('keeps the text and details of an error that is not about a place', () => {
    const error = new DomainError('not_found', 'no such shelf', { details: { kind: 'shelf', rowNumber: 3 } });
    expect(toWire(error)).toMatchObject({ message: 'no such shelf', members: { kind: 'shelf', row_number: 3 } });
  });
});
