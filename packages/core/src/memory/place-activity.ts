import type { Activation, State, UnitId } from '../ports/places.ts';
import type { PlaceTables } from './place-tables.ts';

type Level = UnitId['level'];

/** `PlaceStore.setActive` in memory. */
export function setActive(tables: PlaceTables, { level, id }: UnitId, isActive: boolean): Activation {
  const units = unitsUpTo(tables, { level, id });
  const [unit, ...above] = units.toReversed();
  if (unit?.level !== level) return 'unknown';
  if (isActive && !unit.isActive && above.some((each) => !each.isActive)) return 'inactive_above';
  if (isActive) tables.staysInactive.delete(keyOf(unit));
  else tables.staysInactive.add(keyOf(unit));
  put(tables, unit, isActive);
  return unit.isActive === isActive ? 'unchanged' : 'changed';
}

/** Makes tehsils and the units above them active; those that an operator made inactive stay so. Tehsils that are not there are left out. */
export function activate(tables: PlaceTables, tehsilIds: readonly number[]): void {
  for (const id of tehsilIds) {
    for (const unit of unitsUpTo(tables, { level: 'tehsil', id }))
      if (!unit.isActive && !tables.staysInactive.has(keyOf(unit))) put(tables, unit, true);
  }
}

type LevelledUnit = UnitId & Pick<State, 'isActive'>;

/** A unit's name among those of all levels. */
export const keyOf = ({ level, id }: UnitId): string => `${level}/${id}`;

/** A unit and those above it, from the state down. */
function unitsUpTo({ states, districts, tehsils }: PlaceTables, { level, id }: UnitId): readonly LevelledUnit[] {
  const found = <T extends State>(at: Level, units: readonly T[], wanted: number | undefined) => {
    const unit = units.find((each) => each.id === wanted);
    return { unit, levelled: unit === undefined ? [] : [{ level: at, id: unit.id, isActive: unit.isActive }] };
  };
  const tehsil = found('tehsil', tehsils, level === 'tehsil' ? id : undefined);
  const district = found('district', districts, level === 'district' ? id : tehsil.unit?.districtId);
  const state = found('state', states, level === 'state' ? id : district.unit?.stateId);
  return [...state.levelled, ...district.levelled, ...tehsil.levelled];
}

function put({ states, districts, tehsils }: PlaceTables, { level, id }: UnitId, isActive: boolean): void {
  const set = <T extends State>(table: T[]): void => {
    const at = table.findIndex((unit) => unit.id === id);
    const unit = table[at];
    if (unit !== undefined && unit.isActive !== isActive) table[at] = { ...unit, isActive };
  };
  if (level === 'state') set(states);
  else if (level === 'district') set(districts);
  else set(tehsils);
}
