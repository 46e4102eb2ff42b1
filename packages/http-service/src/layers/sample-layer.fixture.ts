import { eoAccountField, type Pipeline, placeFields, yearFields } from '@headwater/core';
import { z } from 'zod';

const request = z.object({ ...placeFields, ...yearFields, ...eoAccountField });
const params = z.object({ startYear: z.int(), endYear: z.int() });

/** Pipeline for tests, with the usual request fields. It publishes nothing. */
export const samplePipeline: Pipeline<z.infer<typeof request>, z.infer<typeof params>> = {
  name: 'sample_layer',
  route: 'sample_layer',
  aliases: ['sample_layer_v2'],
  summary: 'Computes a layer for tests.',
  examples: [
    {
      name: 'start',
      request: {
        state: 'Sample State',
        district: 'Sample District',
        tehsil: 'Sample Tehsil',
        startYear: 2021,
        endYear: 2021,
        eoAccountId: 1,
      },
    },
  ],
  messages: { initiated: 'sample_layer initiated', finished: 'sample_layer finished' },
  request,
  resolve: async ({ startYear, endYear }) => ({ startYear, endYear }),
  params,
  steps: [{ name: 'work', weight: 1 }],
  fingerprint: ({ startYear, endYear }) => `${startYear}:${endYear}`,
  execute: async () => ({ items: [], layers: [], timings: {} }),
};
