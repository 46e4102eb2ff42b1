import { parentPort, workerData } from 'node:worker_threads';
import type { PlaceBundle } from '@headwater/core';
import { readPlaces, type PlacesRead } from './read-places.ts';

/**
 * Message with one tehsil, so that the parent never deserialises many tehsils at once. The last message has the rest of
 * the result.
 */
export type PlacesMessage = { readonly bundle: PlaceBundle } | { readonly rest: Omit<PlacesRead, 'bundles'> };

const dir: string = workerData;
const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread only');
const send = (message: PlacesMessage): void => port.postMessage(message);
const { bundles, ...rest } = await readPlaces(dir);
for (const bundle of bundles) send({ bundle });
send({ rest });
