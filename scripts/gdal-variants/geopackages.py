"""40 GeoPackages that GDAL writes, each with the content that GDAL reads from it. Some are changed to imitate other programs."""
import os
import sqlite3
import struct

from osgeo import gdal, ogr

from features import SHAPES, fill, geometry, read, reference
from shapefiles import EVEREST, KALIANPUR, METRE, variant

FIELDS = {'tehsil_name': 'text', 'uid': 'int'}
ROWS = [{'tehsil_name': 'राजगढ़', 'uid': 1}, {'tehsil_name': 'Öland', 'uid': 2}, {'tehsil_name': None, 'uid': None}]
CIRCLE = 'CURVEPOLYGON (CIRCULARSTRING (78 21,78.2 21.2,78.4 21,78.2 20.8,78 21))'
PLAIN = ['SPATIAL_INDEX=NO']


def shapes():
    yield variant('polygons and parts')
    for dimensions in ('XYZ', 'XYM', 'XYZM'):
        yield variant(f'polygons of {dimensions}', dimensions=dimensions)
    yield variant('parts with heights', dimensions='XYZ', shapes=['parts with holes'])
    yield variant('lake in an island in a lake', shapes=['lake in an island in a lake'])
    yield variant('hole that touches its shell', shapes=['hole that touches its shell'])
    yield variant('parts of one polygon each', single=False)
    yield variant('a column of any geometry', kind=ogr.wkbUnknown)
    yield variant('a row without geometry', shapes=['square', None])
    yield variant('empty geometries', shapes=['POLYGON EMPTY', 'square', 'MULTIPOLYGON EMPTY'], kind=ogr.wkbUnknown)
    yield variant('no row', shapes=[])
    for wkt in ('POINT (78 21)', 'LINESTRING (78 21,79 22)', 'GEOMETRYCOLLECTION (POLYGON ((78 21,79 21,79 22,78 21)))', CIRCLE):
        yield variant(wkt.split()[0].lower(), shapes=[wkt, 'square'], kind=ogr.wkbUnknown, traits=['no polygons'])


def headers():
    for code in (0, 1, 2, 3, 4):
        yield variant(f'envelope of kind {code}', header={'envelope': code}, options=PLAIN)
    yield variant('numbers of the header, most significant byte first', header={'big': True}, options=PLAIN)
    yield variant('numbers of the geometry, most significant byte first', header={'order': ogr.wkbXDR}, options=PLAIN)
    yield variant('all numbers most significant byte first, heights', header={'big': True, 'order': ogr.wkbXDR, 'envelope': 2}, options=PLAIN, dimensions='XYZ')


def layers():
    yield variant('two layers, of which one has the requested name', second=['other'])
    yield variant('two layers without the requested name', layer='one', second=['other'], traits=['layers'])
    yield variant('a view', view=True, traits=['view'])
    yield variant('a table without geometry', aspatial=True)
    yield variant('no R-tree', options=PLAIN)
    yield variant('version 1.0', version='1.0')
    yield variant('other names of columns', options=['GEOMETRY_NAME=Shape', 'FID=OBJECTID'])
    yield variant('a generated column', generated=True, absent=['vill_id'])


def references():
    yield variant('srs_id 0', srs=0)
    yield variant('srs_id -1', srs=-1)
    for crs, name in (('EPSG:4979', 'WGS 84 with heights'), ('EPSG:32644', 'UTM'), ('EPSG:32743', 'UTM south of the equator')):
        yield variant(name, crs=crs, dimensions='XYZ' if 'heights' in name else 'XY', shapes=['south and west'] if 'south' in name else ['hole', 'parts'])
    yield variant('Web Mercator', crs='EPSG:3857', traits=['crs'])
    yield variant('seven parameters', crs=EVEREST, definition=EVEREST, tolerance=METRE)
    yield variant('Kalianpur 1975', crs=KALIANPUR, definition=KALIANPUR, tolerance=METRE)


def variants():
    return [v for family in (shapes, headers, layers, references) for v in family()]


def make(v, folder, index):
    path = os.path.join(folder, f'{index}.gpkg')
    options = [f'VERSION={v["version"]}'] if 'version' in v else []
    dataset = ogr.GetDriverByName('GPKG').CreateDataSource(path, options)
    facts = {'fields': FIELDS, 'rows': ROWS, **v}
    srs = reference(v.get('crs', 'EPSG:4326'))
    flags = v.get('dimensions', '')
    kind = v.get('kind', ogr.wkbMultiPolygon if v.get('single') is False else ogr.wkbUnknown)
    kind = ogr.GT_SetModifier(kind, 'Z' in flags, 'M' in flags)
    name = v.get('layer', 'places')
    fill(dataset.CreateLayer(name, srs, kind, v.get('options', [])), facts, srs)
    for other in v.get('second', []):
        fill(dataset.CreateLayer(other, srs, kind), {**facts, 'shapes': ['two holes']}, srs)
    if v.get('aspatial'):
        fill(dataset.CreateLayer('notes', None, ogr.wkbNone), {**facts, 'shapes': [None]}, None)
    if v.get('view'):
        dataset.ExecuteSQL('create view seen as select * from places')
        dataset.ExecuteSQL("update gpkg_contents set table_name = 'seen', identifier = 'seen' where table_name = 'places'")
        dataset.ExecuteSQL("update gpkg_geometry_columns set table_name = 'seen'")
    del dataset
    change(path, v)
    opened = gdal.OpenEx(path, gdal.OF_VECTOR)
    features = read(opened.GetLayerByName(name) or opened.GetLayer(0), v)
    return {'name': v['name'], 'file': path, 'traits': v['traits'], 'tolerance': v.get('tolerance', 1e-9), 'features': features}


def change(path, v):
    """Changes the file to imitate other programs."""
    with sqlite3.connect(path) as database:
        if 'srs' in v:
            for table in ('gpkg_contents', 'gpkg_geometry_columns'):
                database.execute(f'update {table} set srs_id = ?', [v['srs']])
        if 'definition' in v:
            database.execute('update gpkg_spatial_ref_sys set definition = ? where srs_id = (select srs_id from gpkg_geometry_columns)', [v['definition']])
        if v.get('generated'):
            database.execute("alter table places add column vill_id integer generated always as (uid + 1) virtual")
        if 'header' in v:
            found = database.execute('select fid, geom from places').fetchall()
            for (fid, _), shape in zip(found, ['hole', 'square', 'parts']):
                database.execute('update places set geom = ? where fid = ?', [blob(SHAPES[shape], v), fid])
    database.close()


def blob(polygons, v):
    """A geometry as OGC 12-128r18, section 2.1.3, defines it."""
    header = v['header']
    made = geometry(polygons, v.get('dimensions', 'XY'))
    west, east, south, north = made.GetEnvelope()
    doubles = [[], [west, east, south, north], [west, east, south, north, 0, 0], [west, east, south, north, 0, 0], [west, east, south, north, 0, 0, 0, 0]]
    code = header.get('envelope', 1)
    sign = '>' if header.get('big') else '<'
    head = struct.pack(f'{sign}2sBBi{len(doubles[code])}d', b'GP', 0, (code << 1) | (not header.get('big')), 4326, *doubles[code])
    return head + bytes(made.ExportToIsoWkb(header.get('order', ogr.wkbNDR)))
