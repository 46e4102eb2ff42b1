import { expect, it } from 'vitest';
import { ConfigError } from './config/read-config.ts';
import { readServeOptions } from './serve-options.ts';

it('reads the options that concern the sample data', () => {
  expect(readServeOptions([])).toEqual({});
  expect(readServeOptions(['--no-sample'])).toEqual({ sample: false });
  expect(readServeOptions(['--sample-size', '20'])).toEqual({ sample: true, sampleSizeKm: 20 });
  expect(readServeOptions(['--all-layers'])).toEqual({ sample: true, allLayers: true });
  expect(readServeOptions(['--sample-size', '8', '--all-layers'])).toEqual({
    sample: true,
    sampleSizeKm: 8,
    allLayers: true,
  });
  expect(readServeOptions(['--sample-size=8'])).toEqual({ sample: true, sampleSizeKm: 8 });
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
  expect(() => readServeOptions(args)).toThrow(ConfigError);
  expect(() => readServeOptions(args)).toThrow(message);
});

it.each([
  [{ npm_config_sample: '' }, '--no-sample'],
  [{ npm_config_all_layers: 'true' }, '--all-layers'],
  [{ npm_config_sample_size: '8' }, '--sample-size'],
])('refuses %j, which npm sets if it keeps the option for itself', (env, option) => {
  expect(() => readServeOptions([], env)).toThrow(
    `${option}: npm keeps options for itself unless they follow "--"; use npm start -- ${option}`,
  );
});

it('ignores other settings of npm', () => {
  expect(readServeOptions(['--no-sample'], { npm_config_yes: '', npm_config_sampler: '' })).toEqual({ sample: false });
});
