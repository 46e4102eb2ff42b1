import { describe, expect, it } from 'vitest';
import { lonLatOfWkt } from './coordinates.ts';

const WGS84 = 'SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]]';
const GRS80 = 'SPHEROID["GRS_1980",6378137.0,298.257222101]';
const EVEREST = 'SPHEROID["Everest_Definition_1975",6377299.151,300.8017255]';
const DEGREES = 'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]';
const SHIFT = 'TOWGS84[295,736,257,0,0,0,0]';

const geographic = (datum: string, rest = DEGREES, name = 'GCS_x'): string =>
  `GEOGCS["${name}",DATUM[${datum}],${rest}]`;
const position = (wkt: string): readonly [number, number] => lonLatOfWkt(wkt, 'in.shp').toLonLat(78.5, 17.25);

describe('positions in degrees on WGS 84, or on a datum within a metre of WGS 84, are not changed', () => {
  it.each([
    ['ESRI', geographic(`"D_WGS_1984",${WGS84}`)],
    [
      'OGC',
      `GEOGCS["WGS 84",DATUM["WGS_1984",${WGS84},AUTHORITY["EPSG","6326"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST]]`,
    ],
    ['OGC, with a null transformation', geographic(`"WGS_1984",${WGS84},TOWGS84[0,0,0,0,0,0,0]`)],
    ['only the name of the CRS', 'GEOGCS["GCS_WGS_1984"]'],
    [
      'in round brackets',
      `GEOGCS("WGS84", DATUM("WGS84", SPHEROID("WGS84", 6378137, 298.257223563)), UNIT("degree", 0.0174532925199433))`,
    ],
    ['a realization', geographic(`"World_Geodetic_System_1984_(G1762)",${WGS84}`)],
    ['an unknown datum on its ellipsoid', geographic(`"D_Unknown_based_on_WGS_84_ellipsoid",${WGS84}`)],
    [
      'an unknown datum with parameters of zero in its name',
      geographic(`"D_Unknown_based_on_WGS84_ellipsoid_using_towgs84_0_0_0",${WGS84}`),
    ],
    ['only an ellipsoid', geographic(`"D_unknown",${WGS84}`)],
    ['no datum, as EPSG spells it', geographic(`"Not specified (based on WGS 84 ellipsoid)",${WGS84}`)],
    ['ETRS89', geographic(`"European_Terrestrial_Reference_System_1989",${GRS80},TOWGS84[0,0,0]`)],
    ['ETRS89 of ESRI', geographic(`"D_ETRS_1989",${GRS80}`)],
    ['ITRF', geographic(`"International_Terrestrial_Reference_Frame_2014",${GRS80}`)],
    [
      'WKT 2 with an ensemble',
      'GEOGCRS["WGS 84",ENSEMBLE["World Geodetic System 1984 ensemble",MEMBER["World Geodetic System 1984 (Transit)"],ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]],ENSEMBLEACCURACY[2.0]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],CS[ellipsoidal,2],AXIS["geodetic latitude (Lat)",north],AXIS["geodetic longitude (Lon)",east],ANGLEUNIT["degree",0.0174532925199433],USAGE[SCOPE["A ""quoted"" scope."]]]',
    ],
    [
      'with heights',
      `COMPD_CS["WGS 84 + height",${geographic(`"WGS_1984",${WGS84}`)},VERT_CS["height",VERT_DATUM["geoid",2005]]]`,
    ],
    ['a degree with eight digits', geographic(`"D_WGS_1984",${WGS84}`, 'UNIT["Degree",0.01745329]')],
    ['a degree with six digits', geographic(`"D_WGS_1984",${WGS84}`, 'UNIT["Degree",0.017453]')],
    ['another spelling', geographic(`"World_Geodetic_System_of_1984",${WGS84}`)],
    [
      'with heights as ESRI writes them, after the CRS of positions',
      `${geographic(`"D_WGS_1984",${WGS84}`)},VERTCS["EGM96_Height",VDATUM["EGM96_Geoid"],UNIT["Meter",1.0]]`,
    ],
  ])('%s', (_, wkt) => {
    expect(position(`\u{feff}${wkt}\r\n`)).toEqual([78.5, 17.25]);
    expect(lonLatOfWkt(wkt, 'in.shp').movedFrom).toBeUndefined();
  });
});

it('reads the UTM zone from the name of a CRS without other members', () => {
  const [lon, lat] = lonLatOfWkt('PROJCS["WGS 84 / UTM zone 44N"]', 'in.shp').toLonLat(500_000, 0);
  expect([lon, lat]).toEqual([expect.closeTo(81, 9), expect.closeTo(0, 9)]);
});

describe('an unsupported CRS is refused with its name and a command that converts it', () => {
  it.each([
    ['another datum', geographic(`"D_Kalianpur_1975",${EVEREST}`), /"GCS_x" on the datum "D_Kalianpur_1975"/],
    [
      'another datum under the name of WGS 84',
      geographic(`"D_Kalianpur_1975",${EVEREST}`, DEGREES, 'GCS_WGS_1984'),
      /datum "D_Kal/,
    ],
    ['WGS 84 on another ellipsoid', geographic(`"D_WGS_1984",${EVEREST}`), /no parameters/],
    ['a sphere', geographic('"D_WGS_1984_Major_Auxiliary_Sphere",SPHEROID["Sphere",6378137.0,0.0]'), /no parameters/],
    [
      'parameters only in the name of a datum, as GDAL writes them for ESRI',
      geographic(`"D_unknown_using_towgs84_100_200_300",${WGS84}`),
      /"D_unknown_using_towgs84_100_200_300"/,
    ],
    [
      'parameters only in the name of a datum based on an ellipsoid',
      geographic(`"D_Unknown_based_on_WGS84_ellipsoid_using_towgs84_100_200_300",${WGS84}`),
      /no parameters/,
    ],
    [
      'a datum with a name that begins like that of an unknown datum',
      geographic(`"D_Unknown_Island_1950",${WGS84}`),
      /no parameters/,
    ],
    ['WGS 72', geographic('"D_WGS_1972",SPHEROID["WGS_1972",6378135.0,298.26]'), /"D_WGS_1972"/],
    [
      'a datum with parameters in a grid file',
      geographic(`"D_Kalianpur",${EVEREST},EXTENSION["PROJ4_GRIDS","in.gsb"]`),
      /no parameters/,
    ],
    ['parameters that are not numbers', geographic(`"D_Kalianpur",${EVEREST},TOWGS84[295,x,257]`), /no parameters/],
    [
      'gradians',
      geographic(`"D_WGS_1984",${WGS84}`, 'PRIMEM["Greenwich",0],UNIT["Grad",0.015707963267948967]'),
      /"GCS_x" in the unit "Grad"/,
    ],
    [
      'a projection of a geographic CRS in gradians',
      `PROJCS["Mine",${geographic(`"D_WGS_1984",${WGS84}`, 'UNIT["Grad",0.015707963267949]')},UNIT["Meter",1]]`,
      /"Mine" in the unit "Grad"/,
    ],
    [
      'gradians in WKT 2, where each axis has a unit',
      'GEOGCRS["x",DATUM["World Geodetic System 1984"],CS[ellipsoidal,2],AXIS["longitude",east,ANGLEUNIT["grad",0.015707963267949]],AXIS["latitude",north,ANGLEUNIT["grad",0.015707963267949]]]',
      /"x" in the unit "grad"/,
    ],
    [
      'a parameter in gradians',
      `PROJCRS["Mine",BASEGEOGCRS["x",DATUM["World Geodetic System 1984"]],CONVERSION["y",METHOD["Transverse Mercator"],PARAMETER["Longitude of natural origin",83,ANGLEUNIT["grad",0.015707963267949]]],CS[Cartesian,2],LENGTHUNIT["metre",1]]`,
      /"Mine" in the unit "grad"/,
    ],
    [
      'another meridian',
      geographic(`"D_WGS_1984",${WGS84}`, 'PRIMEM["Paris",2.33722917],UNIT["Degree",0.0174532925199433]'),
      /"GCS_x"/,
    ],
    ['geocentric positions', `GEOCCS["WGS 84",DATUM["WGS_1984",${WGS84}],UNIT["metre",1]]`, /"WGS 84"/],
    [
      'geocentric positions in WKT 2',
      `GEODCRS["WGS 84",DATUM["World Geodetic System 1984"],CS[Cartesian,3]]`,
      /"WGS 84"/,
    ],
    [
      'an unknown projection',
      `PROJCS["Mine",${geographic(`"D_WGS_1984",${WGS84}`)},PROJECTION["Krovak"],UNIT["Meter",1]]`,
      /"Mine"/,
    ],
    [
      'an unknown parameter',
      `PROJCS["Mine",${geographic(`"D_WGS_1984",${WGS84}`)},PROJECTION["Transverse_Mercator"],PARAMETER["Azimuth",3],UNIT["Meter",1]]`,
      /"Mine"/,
    ],
    [
      'parameters that are not a valid projection',
      `PROJCS["Mine",GEOGCS["y",DATUM["D_x",SPHEROID["s",6378137,0.5],TOWGS84[1,1,1]],${DEGREES}],PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",75],UNIT["Meter",1]]`,
      /"Mine"/,
    ],
    [
      'a UTM zone in feet',
      `PROJCS["WGS 84 / UTM zone 44N",${geographic(`"D_WGS_1984",${WGS84}`)},UNIT["Foot",0.3048]]`,
      /UTM zone 44N/,
    ],
    ['heights alone', 'VERTCS["EGM96_Height",VDATUM["EGM96_Geoid"],UNIT["Meter",1.0]]', /"EGM96_Height"/],
    ['two horizontal CRSs', 'GEOGCS["GCS_WGS_1984"],GEOGCS["GCS_WGS_1984"]', /"not named"/],
    ['text that is not WKT', 'EPSG:4326', /"not named"/],
    ['an open bracket', 'GEOGCS["WGS 84"', /"not named"/],
    ['endless brackets', 'GEOGCS['.repeat(20_000), /"not named"/],
    ['nothing', '', /"not named"/],
  ])('%s', (_, wkt, message) => {
    expect(() => lonLatOfWkt(wkt, 'in.shp')).toThrow(message);
    expect(() => lonLatOfWkt(wkt, 'in.shp')).toThrow('ogr2ogr -t_srs EPSG:4326 out.gpkg in.shp');
  });
});

const KALIANPUR = `GEOGCS["Kalianpur 1975",DATUM["Kalianpur_1975",${EVEREST},${SHIFT}],${DEGREES}]`;
const PARAMETERS =
  'PARAMETER["latitude_of_origin",26],PARAMETER["central_meridian",90],PARAMETER["scale_factor",0.99878641]';
/**
 * Position of 2500000 m east, 800000 m north in India zone IIb by GDAL 3.6.2 (PROJ 9.1.1):
 * `gdaltransform -s_srs ... -t_srs EPSG:4326 -output_xy`.
 */
const LCC = [87.586_390_532_564_9, 24.946_294_314_712_1] as const;

describe('a datum with its parameters', () => {
  it('converts degrees', () => {
    const { toLonLat, movedFrom } = lonLatOfWkt(KALIANPUR, 'in.shp');
    const [lon, lat] = toLonLat(78.0012729195382, 16.9989175395416);
    expect([lon, lat]).toEqual([expect.closeTo(78, 9), expect.closeTo(17, 9)]);
    expect(movedFrom).toBe('Kalianpur_1975');
  });

  it.each([
    ['in metres', 'PARAMETER["false_easting",2743195.5],PARAMETER["false_northing",914398.5],UNIT["metre",1]', 1],
    [
      'in yards',
      'PARAMETER["false_easting",3000000],PARAMETER["false_northing",1000000],UNIT["Indian yard",0.9143985]',
      0.9143985,
    ],
  ])('converts a projection %s', (_, rest, metres) => {
    const wkt = `PROJCS["India zone IIb",${KALIANPUR},PROJECTION["Lambert_Conformal_Conic_1SP"],${PARAMETERS},${rest}]`;
    const [lon, lat] = lonLatOfWkt(wkt, 'in.shp').toLonLat(2_500_000 / metres, 800_000 / metres);
    expect([lon, lat]).toEqual([expect.closeTo(LCC[0], 9), expect.closeTo(LCC[1], 9)]);
  });

  it('converts a position that is not a number to NaN', () => {
    const wkt = `PROJCS["India zone IIb",${KALIANPUR},PROJECTION["Lambert_Conformal_Conic_1SP"],${PARAMETERS},UNIT["metre",1]]`;
    expect(lonLatOfWkt(wkt, 'in.shp').toLonLat(Number.NaN, 0)).toEqual([Number.NaN, Number.NaN]);
  });
});
