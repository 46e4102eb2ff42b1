import { boxPolygon, featureGeometry } from '@headwater/core';
import { expect, it } from 'vitest';
import type { VectorStyle } from '../styles/vector-style.ts';
import { type LayerFeature, pictureOf } from './vector-picture.ts';

const LAND = boxPolygon([78, 17, 79, 17.5]);
const PLACE = { box: [78, 17, 79, 17.5], clip: [LAND, boxPolygon([78, 17, 78.5, 17.5])] } as const;
const STYLE: VectorStyle = { attribute: 'n', title: 'Number', limits: [0, 1, 2], colors: ['#ff0000', '#0000ff'] };
const [RED, BLUE, WHITE] = [
  [255, 0, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];
const feature = (geometry: LayerFeature['geometry'], n: number): LayerFeature => ({
  type: 'Feature',
  properties: { n },
  geometry,
});
const line = (lat: number): LayerFeature['geometry'] => ({
  type: 'MultiLineString',
  coordinates: [
    [
      [78, lat],
      [79, lat],
    ],
  ],
});
const zone = featureGeometry(boxPolygon([78.1, 17.1, 78.2, 17.2]));

it('draws polygons over the ground, in the colours of their values or in explicit colours', () => {
  const features = [feature(zone, 0), feature(zone, 1)];
  const ground = { outlines: [LAND], color: '#ffffff' };
  const fills = [RED, BLUE, WHITE];
  expect(pictureOf({ features, style: STYLE, ground }, PLACE).zones.map(({ fill }) => fill)).toEqual(fills);
  const colors = ['#0000ff', '#0000ff'];
  expect(pictureOf({ features, style: STYLE, colors }, PLACE).zones.map(({ fill }) => fill)).toEqual([BLUE, BLUE]);
});

it('draws a point as a square with a side of 1.6 % of the longer side of the box', () => {
  const features = [feature({ type: 'Point', coordinates: [78.5, 17.25] }, 0)];
  const [square] = pictureOf({ features, style: STYLE }, PLACE).zones;
  expect(square).toEqual({ geometry: boxPolygon([78.492, 17.242, 78.508, 17.258]), fill: RED });
});

it('draws lines in the order of their values, the greatest last; without ground, draws the place below the lines', () => {
  const features = [feature(line(17.3), 1), feature(line(17.2), 0)];
  const { zones, lines } = pictureOf({ features, style: STYLE }, PLACE);
  expect(zones).toEqual([{ geometry: LAND, fill: WHITE }]);
  expect(lines).toEqual([
    { geometry: line(17.2), color: RED, width: 1 },
    { geometry: line(17.3), color: BLUE, width: 1 },
  ]);
});

it('draws a line with the width that `lineWidth` returns for its value', () => {
  const features = [feature(line(17.3), 1), feature(line(17.2), 0)];
  const { lines } = pictureOf({ features, style: STYLE, lineWidth: (value) => value + 2 }, PLACE);
  expect(lines.map(({ width }) => width)).toEqual([2, 3]);
});

it('draws the place in the background colour if there are no features', () => {
  const nothing = { features: [], style: STYLE };
  expect(pictureOf(nothing, PLACE)).toEqual({ zones: [{ geometry: LAND, fill: WHITE }], lines: [] });
});
