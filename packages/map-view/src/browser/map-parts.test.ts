import { describe, expect, it } from 'vitest';
import { classesOf, classOf, numberText } from '@headwater/http-service/number-classes';
import { coloursOf, pixelsOf, rampPixels } from './colours.ts';
import { linkOf, readLink, type MapState } from './view-link.ts';

const VIEW: MapState = {
  longitude: 78.5194,
  latitude: 17.4999,
  zoom: 14.32,
  off: [],
  opacity: 100,
  swipe: undefined,
  lines: false,
  background: undefined,
  column: undefined,
};

describe('a link to a view', () => {
  it.each<[string, Partial<MapState>]>([
    ['#map=14.32/17.49990/78.51940', {}],
    ['#map=14.32/17.49990/78.51940&off=1,6&opacity=80', { off: [1, 6], opacity: 80 }],
    ['#map=14.32/17.49990/78.51940&with=2023-2024&swipe=0', { swipe: { year: '2023-2024', at: 0 } }],
    ['#map=14.32/17.49990/78.51940&column=a%26b+%C3%A9', { column: 'a&b é' }],
    [
      '#map=14.32/17.49990/78.51940&lines=1&background=Satellite+pictures',
      { lines: true, background: 'Satellite pictures' },
    ],
    ['#map=3.00/-33.00000/-70.50000', { longitude: -70.5, latitude: -33, zoom: 3 }],
  ])('%s is written and read', (link, parts) => {
    expect(linkOf({ ...VIEW, ...parts })).toBe(link);
    expect(readLink(link)).toEqual({ ...VIEW, ...parts });
  });

  it.each(['', '#download', '#map=', '#map=14/17', '#map=14/97/78', '#map=14/x/78', '#map=99/17/78', '#map=14/17/181'])(
    'is not recognised in "%s"',
    (hash) => {
      expect(readLink(hash)).toBeUndefined();
    },
  );

  it('gets the defaults for parts that are not valid', () => {
    const hash = '#map=14.32/17.4999/78.5194&off=1,x,,2&opacity=900&with=2022&swipe=-1';
    expect(readLink(hash)).toEqual({ ...VIEW, off: [1, 2], swipe: { year: '2022', at: 50 } });
  });
});

describe('pixels', () => {
  const classes = [
    { value: 1, color: '#ff8001' },
    { value: 2, color: '#000000' },
    { value: 3, color: undefined },
  ];
  it('have the colours of their classes; other values are transparent', () => {
    const pixels = pixelsOf([1, 2, 3, 0, NaN], coloursOf(classes, new Set()));
    expect([...pixels]).toEqual([255, 128, 1, 255, 0, 0, 0, 255, ...Array<number>(12).fill(0)]);
  });
  it('of a class that is switched off are transparent', () => {
    expect([...pixelsOf([1], coloursOf(classes, new Set([1])))]).toEqual([0, 0, 0, 0]);
  });
});

describe('pixels of measured values', () => {
  const stops = [
    { value: 100, color: '#ffffff', opacity: 1 },
    { value: 0, color: '#000000', opacity: 1 },
    { value: 50, color: '#ff0000', opacity: 0.5 },
  ];
  it.each([
    [0, [0, 0, 0, 255]],
    [25, [128, 0, 0, 191]],
    [50, [255, 0, 0, 128]],
    [75, [255, 128, 128, 191]],
    [-9, [0, 0, 0, 255]],
    [1e6, [255, 255, 255, 255]],
    [NaN, [0, 0, 0, 0]],
  ])('of value %d have the expected colour', (value, color) => {
    expect([...rampPixels([value], stops)]).toEqual(color);
  });
});

describe('classes of numbers', () => {
  it('have about equally many values', () => {
    const values = Array.from({ length: 20 }, (_, index) => index + 1);
    const classes = classesOf(values.toReversed());
    expect(classes.map(({ from, to }) => [from, to])).toEqual([
      [1, 5],
      [5, 9],
      [9, 13],
      [13, 17],
      [17, 20],
    ]);
    expect(values.map((value) => classes.findIndex((each) => each === classOf(classes, value)))).toEqual(
      [0, 1, 2, 3, 4].flatMap((index) => [index, index, index, index]),
    );
    expect(new Set(classes.map(({ color }) => color)).size).toBe(5);
  });
  it('are fewer if many values are equal; a single value gives one class', () => {
    expect(classesOf([0, 0, 0, 0, 7]).map(({ from, to }) => [from, to])).toEqual([
      [0, 7],
      [7, 7],
    ]);
    expect(classesOf([3, 3]).map(({ from, to }) => [from, to])).toEqual([[3, 3]]);
  });
  it('are absent without numbers', () => {
    expect(classesOf([NaN])).toEqual([]);
    expect(classOf(classesOf([1, 2]), null)).toBeUndefined();
  });
});

it.each([
  [0, '0'],
  [0.0094, '0.009'],
  [8.94444, '8.944'],
  [88.5123, '88.51'],
  [12_345.678, '12346'],
  [-1.5, '-1.5'],
])('%d is written as %s', (value, text) => {
  expect(numberText(value)).toBe(text);
});
