import { expect, it } from 'vitest';
import { layer } from '../encodings/world.fixture.ts';
import { createTurns } from '../protocol/turns.ts';
import { tileFileReply } from './vector-tiles.ts';

it('does not make a file of tiles for a client that already has this file', async () => {
  const tables = {
    of: async () => {
      throw new Error('the layer was read');
    },
  };
  const request = {
    method: 'GET',
    segments: [],
    query: {},
    headers: { 'if-none-match': `"${layer.version}-mvt1-pmtiles"` },
    signal: new AbortController().signal,
  } as const;
  const reply = await tileFileReply({ tables, turns: createTurns() }, { layer, kind: 'pmtiles' }, request);
  expect(reply).toMatchObject({ status: 304, body: undefined });
});
