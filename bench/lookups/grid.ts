import { storeBenchKey } from '../routes/public-data.ts';
import { createBenchUser } from '../routes/shared.ts';
import { migrate, type Database, storesOver } from '@headwater/postgres';

/** Grid with about as many tehsils as India: 100 x 50 of 0.2 degrees, each with 10 x 10 micro-watersheds. */
export const GRID = { columns: 100, rows: 50, west: 70, south: 10, side: 0.2, mws: 10 } as const;

const PLACES = `
  insert into headwater.states (name, slug) values ('Nadi Pradesh', 'nadi_pradesh');
  insert into headwater.districts (state_id, name, slug)
    select (select max(id) from headwater.states), 'District ' || d, 'district_' || d from generate_series(0, ${GRID.rows - 1}) as d;`;

/** Outline of a square with many vertices, as in real outlines. */
const square = (x: string, y: string, side: number): string =>
  `ST_Segmentize(ST_MakeEnvelope(${x}, ${y}, ${x} + ${side}, ${y} + ${side}, 4326), ${side / 20})`;

const TEHSILS = `insert into headwater.tehsils (district_id, name, slug, geometry)
  select d.id, 'Tehsil ' || x, 'tehsil_' || x, ${square(`${GRID.west} + x * ${GRID.side}`, `${GRID.south} + y * ${GRID.side}`, GRID.side)}
  from generate_series(0, ${GRID.columns - 1}) as x, generate_series(0, ${GRID.rows - 1}) as y
  join headwater.districts d on d.slug = 'district_' || y`;

const part = GRID.side / GRID.mws;
const MWS = `insert into headwater.mws (tehsil_id, uid, geometry)
  select t.id, t.id || '_' || (i * ${GRID.mws} + j),
    ${square(`ST_XMin(t.geometry) + i * ${part}`, `ST_YMin(t.geometry) + j * ${part}`, part)}
  from headwater.tehsils t, generate_series(0, ${GRID.mws - 1}) as i, generate_series(0, ${GRID.mws - 1}) as j`;

/** Loads 5,000 tehsils with 500,000 micro-watersheds, and the API key of the bench. */
export async function loadGrid(database: Database): Promise<void> {
  await migrate(database);
  await database.script(PLACES);
  await database.run(TEHSILS);
  await database.run(MWS);
  await database.script('analyze headwater.tehsils; analyze headwater.mws;');
  const stores = storesOver(database);
  await createBenchUser(stores);
  await storeBenchKey(stores.apiKeys);
}

/** Returns point number `index`, a position inside the grid; the points are equal in each run. */
export function pointAt(index: number): { readonly longitude: number; readonly latitude: number } {
  const along = (share: number, first: number, units: number): number => first + share * units * GRID.side;
  // Positions from multiples of irrational numbers are evenly distributed.
  const [x, y] = [(index * Math.SQRT2) % 1, (index * Math.E) % 1];
  return { longitude: along(x, GRID.west, GRID.columns), latitude: along(y, GRID.south, GRID.rows) };
}
