import { isObject } from '../json.ts';
import { isInteger, isNumber, isShallow, isString, listOf, oneOf, type Test } from './checks.ts';

/** Maximum nesting of objects and lists. Real coordinate reference systems need about 10 levels. */
const LEVELS = 32;

const either =
  (...tests: readonly Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));

/** Test of an object that has only these members. A name with `!` is a required member. */
function record(members: Readonly<Record<string, Test>>): Test {
  const tests = new Map(Object.entries(members).map(([key, test]) => [key.replace('!', ''), test]));
  const needed = Object.keys(members).flatMap((key) => (key.endsWith('!') ? [key.slice(0, -1)] : []));
  return (value) =>
    isObject(value) &&
    needed.every((key) => value[key] !== undefined) &&
    Object.entries(value).every(([key, member]) => member === undefined || tests.get(key)?.(member) === true);
}

const isId = record({
  'authority!': isString,
  'code!': either(isString, isInteger),
  version: either(isString, isNumber),
  authority_citation: isString,
  uri: isString,
});
const ID = { id: isId, ids: listOf(isId) };
const hasOneId: Test = (value) => isObject(value) && (value['id'] === undefined || value['ids'] === undefined);
const identified = (members: Readonly<Record<string, Test>>): Test => {
  const isRecord = record({ ...members, ...ID });
  return (value) => isRecord(value) && hasOneId(value);
};
const typed = (types: string, members: Readonly<Record<string, Test>>): Test =>
  identified({ $schema: isString, type: oneOf(...types.split(' ')), ...members });

const isUnit = either(
  oneOf('metre', 'degree', 'unity'),
  identified({
    'type!': oneOf('LinearUnit', 'AngularUnit', 'ScaleUnit', 'TimeUnit', 'ParametricUnit', 'Unit'),
    'name!': isString,
    conversion_factor: isNumber,
  }),
);
const isQuantity = either(isNumber, record({ 'value!': isNumber, 'unit!': isUnit }));

const EXTENT = {
  scope: isString,
  area: isString,
  bbox: record({
    'east_longitude!': isNumber,
    'west_longitude!': isNumber,
    'south_latitude!': isNumber,
    'north_latitude!': isNumber,
  }),
  vertical_extent: record({ 'minimum!': isNumber, 'maximum!': isNumber, unit: isUnit }),
  temporal_extent: record({ 'start!': isString, 'end!': isString }),
};
/** Test of an object that may also have the members of `EXTENT`, usages and remarks. */
const usedUnnamed = (types: string, members: Readonly<Record<string, Test>>): Test =>
  typed(types, { ...members, ...EXTENT, usages: listOf(record(EXTENT)), remarks: isString });
const used = (types: string, members: Readonly<Record<string, Test>>): Test =>
  usedUnnamed(types, { 'name!': isString, ...members });

const isMethod = typed('OperationMethod', { 'name!': isString });
const PARAMETERS = listOf(
  typed('ParameterValue', { 'name!': isString, 'value!': either(isString, isNumber), unit: isUnit }),
);
const isConversion = typed('Conversion', { 'name!': isString, 'method!': isMethod, parameters: PARAMETERS });
const isMeridian = typed('Meridian', { 'longitude!': isQuantity });
const DIRECTIONS =
  'north northNorthEast northEast eastNorthEast east eastSouthEast southEast southSouthEast south southSouthWest southWest westSouthWest west ' +
  'westNorthWest northWest northNorthWest up down geocentricX geocentricY geocentricZ columnPositive columnNegative rowPositive rowNegative ' +
  'displayRight displayLeft displayUp displayDown forward aft port starboard clockwise counterClockwise towards awayFrom future past unspecified';
const isAxis = typed('Axis', {
  'name!': isString,
  'abbreviation!': isString,
  'direction!': oneOf(...DIRECTIONS.split(' ')),
  meridian: isMeridian,
  unit: isUnit,
  minimum_value: isNumber,
  maximum_value: isNumber,
  range_meaning: oneOf('exact', 'wraparound'),
});
const SUBTYPES =
  'Cartesian spherical ellipsoidal vertical ordinal parametric affine TemporalDateTime TemporalCount TemporalMeasure';
const isCoordinateSystem = typed('CoordinateSystem', {
  name: isString,
  'subtype!': oneOf(...SUBTYPES.split(' ')),
  'axis!': listOf(isAxis),
});

const ellipsoid = (members: Readonly<Record<string, Test>>): Test =>
  typed('Ellipsoid', { 'name!': isString, ...members });
const isEllipsoid = either(
  ellipsoid({ 'semi_major_axis!': isQuantity, 'semi_minor_axis!': isQuantity }),
  ellipsoid({ 'semi_major_axis!': isQuantity, 'inverse_flattening!': isNumber }),
  ellipsoid({ 'radius!': isQuantity }),
);
const isPrimeMeridian = typed('PrimeMeridian', { 'name!': isString, longitude: isQuantity });
const ANCHOR = { anchor: isString, anchor_epoch: isNumber };
const GEODETIC = { ...ANCHOR, 'ellipsoid!': isEllipsoid, prime_meridian: isPrimeMeridian };
const EPOCH = { 'frame_reference_epoch!': isNumber };
const isGeodeticFrame = used('GeodeticReferenceFrame', GEODETIC);
const isMovingGeodeticFrame = used('DynamicGeodeticReferenceFrame', { ...GEODETIC, ...EPOCH });
const isVerticalFrame = used('VerticalReferenceFrame', ANCHOR);
const isMovingVerticalFrame = used('DynamicVerticalReferenceFrame', { ...ANCHOR, ...EPOCH });
const isTemporalDatum = used('TemporalDatum', { 'calendar!': isString, time_origin: isString });
const isParametricDatum = used('ParametricDatum', { anchor: isString });
const isEngineeringDatum = used('EngineeringDatum', { anchor: isString });
const isEnsemble = typed('DatumEnsemble', {
  'name!': isString,
  'members!': listOf(identified({ 'name!': isString })),
  ellipsoid: isEllipsoid,
  'accuracy!': isString,
});

/** A CRS may contain a CRS, so `CRS` is looked up only when this test runs. */
const isCrs: Test = (value) => isObject(value) && CRS.get(value['type'])?.(value) === true;
const model = record({ 'name!': isString, id: isId });
const geoid = record({ 'name!': isString, interpolation_crs: isCrs, id: isId });

/** Requires either a datum or a datum ensemble, and at most one of `geoid_model` and `geoid_models`. */
const referenced =
  (test: Test): Test =>
  (value) =>
    isObject(value) &&
    (value['datum'] === undefined) !== (value['datum_ensemble'] === undefined) &&
    (value['geoid_model'] === undefined || value['geoid_models'] === undefined) &&
    test(value);
const SYSTEM = { coordinate_system: isCoordinateSystem };
const isGeodetic = referenced(
  used('GeodeticCRS GeographicCRS', {
    datum: either(isGeodeticFrame, isMovingGeodeticFrame),
    datum_ensemble: isEnsemble,
    deformation_models: listOf(model),
    ...SYSTEM,
  }),
);
const isVertical = referenced(
  used('VerticalCRS', {
    datum: either(isVerticalFrame, isMovingVerticalFrame),
    datum_ensemble: isEnsemble,
    geoid_model: geoid,
    geoid_models: listOf(geoid),
    deformation_models: listOf(model),
    ...SYSTEM,
  }),
);
const derived = (types: string, base: Test): Test =>
  used(types, { 'base_crs!': base, 'conversion!': isConversion, 'coordinate_system!': isCoordinateSystem });
const isProjected = derived('ProjectedCRS', isGeodetic);
const isTemporal = used('TemporalCRS', { 'datum!': isTemporalDatum, ...SYSTEM });
const isParametric = used('ParametricCRS', { 'datum!': isParametricDatum, ...SYSTEM });
const isEngineering = used('EngineeringCRS', { 'datum!': isEngineeringDatum, ...SYSTEM });
const OPERATION = { 'method!': isMethod, accuracy: isString };
const isTransformation = used('Transformation', {
  'source_crs!': isCrs,
  'target_crs!': isCrs,
  interpolation_crs: isCrs,
  ...OPERATION,
  'parameters!': PARAMETERS,
});
const isPointMotion = used('PointMotionOperation', { 'source_crs!': isCrs, ...OPERATION, 'parameters!': PARAMETERS });
const isAbridged = typed('AbridgedTransformation', {
  'name!': isString,
  source_crs: isCrs,
  'method!': isMethod,
  'parameters!': PARAMETERS,
});
const CRS: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  [
    'BoundCRS',
    usedUnnamed('BoundCRS', {
      name: isString,
      'source_crs!': isCrs,
      'target_crs!': isCrs,
      'transformation!': isAbridged,
    }),
  ],
  ['CompoundCRS', used('CompoundCRS', { 'components!': listOf(isCrs) })],
  ['DerivedEngineeringCRS', derived('DerivedEngineeringCRS', isEngineering)],
  ['DerivedGeodeticCRS', derived('DerivedGeodeticCRS', isGeodetic)],
  ['DerivedGeographicCRS', derived('DerivedGeographicCRS', isGeodetic)],
  ['DerivedParametricCRS', derived('DerivedParametricCRS', isParametric)],
  ['DerivedProjectedCRS', derived('DerivedProjectedCRS', isProjected)],
  ['DerivedTemporalCRS', derived('DerivedTemporalCRS', isTemporal)],
  ['DerivedVerticalCRS', derived('DerivedVerticalCRS', isVertical)],
  ['EngineeringCRS', isEngineering],
  ['GeodeticCRS', isGeodetic],
  ['GeographicCRS', isGeodetic],
  ['ParametricCRS', isParametric],
  ['ProjectedCRS', isProjected],
  ['TemporalCRS', isTemporal],
  ['VerticalCRS', isVertical],
]);

const OTHERS: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  ['GeodeticReferenceFrame', isGeodeticFrame],
  ['DynamicGeodeticReferenceFrame', isMovingGeodeticFrame],
  ['VerticalReferenceFrame', isVerticalFrame],
  ['DynamicVerticalReferenceFrame', isMovingVerticalFrame],
  ['TemporalDatum', isTemporalDatum],
  ['ParametricDatum', isParametricDatum],
  ['EngineeringDatum', isEngineeringDatum],
  ['DatumEnsemble', isEnsemble],
  ['Ellipsoid', isEllipsoid],
  ['PrimeMeridian', isPrimeMeridian],
  ['Conversion', isConversion],
  ['Transformation', isTransformation],
  ['PointMotionOperation', isPointMotion],
  [
    'ConcatenatedOperation',
    used('ConcatenatedOperation', {
      'source_crs!': isCrs,
      'target_crs!': isCrs,
      'steps!': listOf(either(isConversion, isTransformation, isPointMotion)),
      accuracy: isString,
    }),
  ],
  ['CoordinateMetadata', record({ $schema: isString, 'type!': isString, 'crs!': isCrs, coordinateEpoch: isNumber })],
]);

/** True for PROJJSON 0.7 as PROJ writes it, with a member `type`. */
export const isProjjson: Test = (value) =>
  isObject(value) &&
  isShallow(value, LEVELS) &&
  (CRS.get(value['type']) ?? OTHERS.get(value['type']))?.(value) === true;
