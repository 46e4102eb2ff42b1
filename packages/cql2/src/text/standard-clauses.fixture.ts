import type { Cql2Expression } from '../model/expression.ts';

/** One filter as text and as JSON. */
export interface BothForms {
  readonly name: string;
  readonly text: string;
  readonly json: Cql2Expression;
}

/** Builds a reference to a property. */
export const p = (property: string) => ({ property });
const CITIES = ['Toronto', 'Frankfurt', 'Tokyo', 'New York'];
const APOLLO = { interval: ['1969-07-16T13:32:00Z', '1969-07-24T16:50:35Z'] } as const;
const ROAD_CLASSES = {
  op: 'in',
  args: [
    { op: 'casei', args: [p('road_class')] },
    [
      { op: 'casei', args: ['Οδος'] },
      { op: 'casei', args: ['Straße'] },
    ],
  ],
} as const;

/** Examples in the text of OGC 21-065, clauses 6 and 7. */
export const CLAUSES: readonly BothForms[] = [
  { name: '6.02a', text: "city='Toronto'", json: { op: '=', args: [p('city'), 'Toronto'] } },
  { name: '6.02c', text: 'balance-150.0 > 0', json: { op: '>', args: [{ op: '-', args: [p('balance'), 150] }, 0] } },
  {
    name: '6.02d',
    text: "updated >= date('1970-01-01')",
    json: { op: '>=', args: [p('updated'), { date: '1970-01-01' }] },
  },
  { name: '6.03', text: 'geometry IS NOT NULL', json: { op: 'not', args: [{ op: 'isNull', args: [p('geometry')] }] } },
  { name: '7.01', text: "name LIKE 'Smith%'", json: { op: 'like', args: [p('name'), 'Smith%'] } },
  { name: '7.02', text: 'depth BETWEEN 100.0 and 150.0', json: { op: 'between', args: [p('depth'), 100, 150] } },
  {
    name: '7.03a',
    text: "cityName IN ('Toronto','Frankfurt','Tokyo','New York')",
    json: { op: 'in', args: [p('cityName'), CITIES] },
  },
  {
    name: '7.03b',
    text: 'category NOT IN (1,2,3,4)',
    json: { op: 'not', args: [{ op: 'in', args: [p('category'), [1, 2, 3, 4]] }] },
  },
  { name: '7.04', text: "CASEI(road_class) IN (CASEI('Οδος'),CASEI('Straße'))", json: ROAD_CLASSES },
  {
    name: '7.05',
    text: "ACCENTI(etat_vol) = ACCENTI('débárquér')",
    json: {
      op: '=',
      args: [
        { op: 'accenti', args: [p('etat_vol')] },
        { op: 'accenti', args: ['débárquér'] },
      ],
    },
  },
  {
    name: '7.07',
    text: 'S_INTERSECTS(geometry,POINT(36.319836 32.288087))',
    json: { op: 's_intersects', args: [p('geometry'), { type: 'Point', coordinates: [36.319836, 32.288087] }] },
  },
  {
    name: '7.12',
    text: "T_INTERSECTS(event_time, INTERVAL('1969-07-16T05:32:00Z', '1969-07-24T16:50:35Z'))",
    json: {
      op: 't_intersects',
      args: [p('event_time'), { interval: ['1969-07-16T05:32:00Z', '1969-07-24T16:50:35Z'] }],
    },
  },
  {
    name: '7.13',
    text: "T_DURING(INTERVAL(touchdown, liftOff), INTERVAL('1969-07-16T13:32:00Z', '1969-07-24T16:50:35Z'))",
    json: { op: 't_during', args: [{ interval: [p('touchdown'), p('liftOff')] }, APOLLO] },
  },
  {
    name: '7.17',
    text: "T_DURING(INTERVAL('1969-07-20T20:17:40Z', '1969-07-21T17:54:00Z'), INTERVAL('1969-07-16T13:32:00Z', '1969-07-24T16:50:35Z'))",
    json: { op: 't_during', args: [{ interval: ['1969-07-20T20:17:40Z', '1969-07-21T17:54:00Z'] }, APOLLO] },
  },
  {
    name: '7.19',
    text: 'vehicle_height > (bridge_clearance-1)',
    json: { op: '>', args: [p('vehicle_height'), { op: '-', args: [p('bridge_clearance'), 1] }] },
  },
];
