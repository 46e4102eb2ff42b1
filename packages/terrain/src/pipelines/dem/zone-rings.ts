import type { Outline } from '@headwater/core';
import { multiCoordinates } from '@headwater/core/geo';
import type { Position } from 'geojson';
import { z } from 'zod';

/** A zone: rings (lon/lat) of all its polygons, both exteriors and holes. */
export type ZoneRings = readonly (readonly Position[])[];

/** Zones as parameters of a block function. */
export const zoneRings = z.array(z.array(z.array(z.array(z.number()))));

/** Rings of an outline. */
export const ringsOf = (outline: Outline): ZoneRings => multiCoordinates([outline]).flat();
