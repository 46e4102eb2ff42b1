import { expect, it } from 'vitest';
import { z } from 'zod';
import { requestFor } from './request-for.ts';

const members = { state: 'Jharkhand', startYear: 2020, endYear: 2021 };

it.each([
  [z.object({ state: z.string() }), { request: { state: 'Jharkhand' } }],
  [
    z.object({ state: z.string(), startYear: z.int(), ends: z.int().default(7) }),
    { request: { state: 'Jharkhand', startYear: 2020, ends: 7 } },
  ],
  [z.object({ state: z.string(), labels: z.array(z.string()), legend: z.string() }), { lacks: ['labels', 'legend'] }],
])(
  'requestFor takes from a request the members that the pipeline declares, and names the missing ones',
  (request, expected) => expect(requestFor({ request }, members)).toEqual(expected),
);
