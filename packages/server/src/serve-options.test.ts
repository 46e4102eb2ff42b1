import { expect, it } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { readServeOptions } from './serve-options.ts';

it('reads the options that concern the sample data', () => {
  expect(readServeOptions([], 'usage')).toEqual({});
  expect(readServeOptions(['--no-sample'], 'usage')).toEqual({ sample: false });
  expect(readServeOptions(['--sample-size', '20'], 'usage')).toEqual({ sample: true, sampleSizeKm: 20 });
  expect(readServeOptions(['--all-layers'], 'usage')).toEqual({ sample: true, allLayers: true });
  expect(readServeOptions(['--sample-size', '8', '--all-layers'], 'usage')).toEqual({
    sample: true,
    sampleSizeKm: 8,
    allLayers: true,
  });
  expect(readServeOptions(['--sample-size=8'], 'usage')).toEqual({ sample: true, sampleSizeKm: 8 });
});

it.each([
  [['--sample-size', 'big'], /--sample-size: "big" is not a number of km; use/],
  [['--sample-size', ''], /--sample-size: "" is not a number/],
  [['--sample-size'], /--sample-size.*[\s\S]*usage: headwater/],
  [['--no-sample', '--sample-size', '8'], /--sample-size: has no effect with --no-sample/],
  [['--no-sample', '--all-layers'], /--all-layers: computes layers of the sample/],
  [['--sampel-size', '8'], /--sampel-size[\s\S]*usage: headwater/],
  [['quickly'], /quickly[\s\S]*usage: headwater/],
])('refuses %j with a remedy', (args, message) => {
  expect(() => readServeOptions(args, 'usage: headwater')).toThrow(ConfigError);
  expect(() => readServeOptions(args, 'usage: headwater')).toThrow(message);
});
