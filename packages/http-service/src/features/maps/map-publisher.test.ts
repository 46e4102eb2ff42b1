import { type Logger, SILENT } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { ListedLayer, MapServerDrift } from '@headwater/core/ports';
import { createRunSignals } from '@headwater/core/runs';
import { createManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, expect, it } from 'vitest';
import { createMapPublisher, type MapPublisher } from './map-publisher.ts';

let open: MapPublisher[] = [];
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});

function world(layers: ListedLayer[] = []) {
  const time = createManualTime();
  const signals = createRunSignals();
  const served = new Map<string, number>();
  const state = {
    isAway: false,
    reads: 0,
    failing: '',
    isListAway: false,
    hasForeignStyle: false,
    during: () => {},
    lines: [] as string[],
  };
  const answer = (): void => {
    if (state.isAway) throw new Error('the map server does not answer.');
  };
  const put = (workspace: string, name: string): void => {
    answer();
    if (state.failing.split(' ').includes(name)) throw new Error(`${name} is refused.`);
    const layer = layers.find((each) => each.workspace === workspace && each.layerName === name);
    if (layer === undefined) served.delete(`${workspace}:${name}`);
    else served.set(`${workspace}:${name}`, layer.version);
  };
  const logger: Logger = { ...SILENT, error: (_, message) => state.lines.push(message) };
  const publisher = createMapPublisher({
    server: {
      publish: async (workspace, name) => {
        put(workspace, name);
        state.during();
      },
      async *check(): AsyncGenerator<MapServerDrift> {
        answer();
        if (state.hasForeignStyle)
          yield { workspace: 'mws', layer: null, style: 'mws', problem: 'style', message: 'another style' };
        for (const { workspace, layerName: layer, version } of layers)
          if (served.get(`${workspace}:${layer}`) !== version)
            yield { workspace, layer, problem: 'outdated', message: 'another version' };
      },
      repair: async ({ workspace, layer, style }) => {
        if (style !== undefined) throw new DomainError('conflict', 'it is of another program');
        put(workspace, layer ?? '');
      },
    },
    lists: {
      layers: async ({ limit, offset }) => {
        state.reads += 1;
        if (state.isListAway) throw new Error('the list is unavailable.');
        return { rows: layers.toReversed().slice(offset, offset + limit), total: layers.length };
      },
    },
    installation: createMemoryStores().installation,
    signals,
    logger,
    timers: time,
  });
  open.push(publisher);
  const publish = (layerName: string, version = 1): void => {
    const at = layers.findIndex((each) => each.layerName === layerName);
    if (at >= 0) layers.splice(at, 1);
    layers.push(layerOf(layerName, version));
    signals.emit('changed', 'run_1');
  };
  return { time, served, state, publisher, publish, layers };
}

const layerOf = (layerName: string, version = 1): ListedLayer => ({
  workspace: 'mws',
  layerName,
  datasetName: 'MWS',
  layerType: 'vector',
  tehsilId: 1,
  itemId: layerName,
  assetKey: `run_1/1/${layerName}.geojson`,
  styleKey: null,
  version,
  collectionPath: 'a/b/c',
  runId: 'run_1',
  publishedAt: '2026-01-01T00:00:00Z',
  place: null,
});

it('publishes each version of a layer within a second after a run has published this version', async () => {
  const { time, served, publisher, publish } = world();
  publisher.start();
  await time.advance(1);
  publish('demo');
  await time.advance(1000);
  expect([...served]).toEqual([['mws:demo', 1]]);
  publish('demo', 2);
  await time.advance(1000);
  expect([...served]).toEqual([['mws:demo', 2]]);
});

it('publishes all layers after the map server was unavailable', async () => {
  const { time, served, state, publisher, publish } = world();
  publisher.start();
  await time.advance(1);
  state.isAway = true;
  for (const name of ['a', 'b', 'c']) {
    publish(name);
    await time.advance(20_000);
  }
  expect(served.size).toBe(0);
  expect(state.lines[0]).toBe(
    'warning: the map server may lack published layers. The next attempt is in 1 s. Reason: the map server does not answer.',
  );
  state.isAway = false;
  await time.advance(60_000);
  expect([...served.keys()].toSorted()).toEqual(['mws:a', 'mws:b', 'mws:c']);
});

it('compares all layers after its start, even if the map server is unavailable at that time', async () => {
  const { time, served, state, publisher } = world([layerOf('old'), layerOf('older')]);
  state.isAway = true;
  publisher.start();
  await time.advance(5000);
  state.isAway = false;
  await time.advance(60_000);
  expect([...served.keys()]).toEqual(['mws:old', 'mws:older']);
});

it('removes a layer that was unpublished', async () => {
  const { time, served, publisher, publish, layers } = world();
  publisher.start();
  await time.advance(1);
  publish('demo');
  await time.advance(1000);
  layers.pop();
  publisher.touch('mws:demo');
  await time.advance(1000);
  expect(served.size).toBe(0);
});

it('reads at most two pages of the list after a change, for any number of layers', async () => {
  const { time, state, publisher, publish } = world(Array.from({ length: 5000 }, (_, n) => layerOf(`layer_${n}`)));
  publisher.start();
  await time.advance(1000);
  state.reads = 0;
  publish('newest');
  await time.advance(1000);
  expect(state.reads).toBeLessThanOrEqual(2);
});

it('publishes the other layers immediately while some layers fail repeatedly', async () => {
  const { time, served, state, publisher, publish } = world();
  state.failing = 'bad1 bad2 bad3 bad4';
  publisher.start();
  await time.advance(1);
  for (const name of state.failing.split(' ')) publish(name);
  await time.advance(200_000);
  publish('good');
  await time.advance(1000);
  expect([...served.keys()]).toEqual(['mws:good']);
  state.failing = '';
  await time.advance(120_000);
  expect(served.size).toBe(5);
});

it('repairs the other layers if one layer cannot be repaired, and repairs this layer later', async () => {
  const { time, served, state, publisher } = world([layerOf('bad'), layerOf('good')]);
  state.failing = 'bad';
  publisher.start();
  await time.advance(1000);
  expect([...served.keys()]).toEqual(['mws:good']);
  state.failing = '';
  await time.advance(60_000);
  expect(served.size).toBe(2);
});

it('repairs the layers although a style of another program cannot be repaired', async () => {
  const { time, served, state, publisher } = world([layerOf('good')]);
  state.hasForeignStyle = true;
  publisher.start();
  await time.advance(1000);
  expect([...served.keys()]).toEqual(['mws:good']);
  expect(state.lines).toEqual([]);
});

it('removes a layer that was unpublished while it was being published', async () => {
  const { time, served, state, publisher, publish, layers } = world();
  publisher.start();
  await time.advance(1);
  state.during = () => {
    state.during = () => {};
    layers.pop();
    publisher.touch('mws:demo');
  };
  publish('demo');
  await time.advance(2000);
  expect(served.size).toBe(0);
});

it('reads the list again after a failure', async () => {
  const { time, served, state, publisher, publish } = world();
  publisher.start();
  await time.advance(1);
  state.isListAway = true;
  publish('demo');
  await time.advance(1000);
  state.isListAway = false;
  await time.advance(60_000);
  expect([...served.keys()]).toEqual(['mws:demo']);
});
