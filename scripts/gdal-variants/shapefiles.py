"""60 zipped Shapefiles that GDAL writes, each with the content that GDAL reads from it. Some are changed to imitate other programs."""
import glob
import os
import struct
import zipfile

from osgeo import gdal, ogr

from features import HOLE, ISLAND, LAKE, OTHER, SHAPES, SHELL, TOUCHING, fill, geometry, read, reference, shape_of

KALIANPUR = (
    'GEOGCS["Kalianpur 1975",DATUM["Kalianpur_1975",SPHEROID["Everest 1830 (1975 Definition)",6377299.151,300.8017255],'
    'TOWGS84[295,736,257,0,0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
)
EVEREST = KALIANPUR.replace('Kalianpur 1975', 'Everest near WGS 84').replace('[295,736,257,0,0,0,0]', '[289,734,257,0.1,-0.2,0.3,1.5]')
UTM_43 = 'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",75],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",%s],PARAMETER["false_northing",0],UNIT[%s]]'
KALIANPUR_UTM = 'PROJCS["Kalianpur 1975 / UTM zone 43N",' + KALIANPUR + ',' + UTM_43 % ('500000', '"metre",1')
WGS84_WKT = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
IN_FEET = 'PROJCS["WGS 84 / UTM zone 43N",' + WGS84_WKT + ',' + UTM_43 % ('1640416.66666667', '"US survey foot",0.304800609601219')
FROM_PARIS = WGS84_WKT.replace('"Greenwich",0', '"Paris",2.33722917')
LOCAL = 'LOCAL_CS["Survey of a village",UNIT["metre",1]]'
HINDI = [{'tehsil': 'राजगढ़', 'uid': 1}, {'tehsil': 'नरसिंहगढ़ तहसील', 'uid': 2}, {'tehsil': None, 'uid': None}]
METRE = 1e-5


def variant(name, **facts):
    return {'name': name, 'traits': [], **facts}


def shapes():
    for name in list(SHAPES)[5:]:
        yield variant(f'shape: {name}', shapes=[name, 'square'])
    for dimensions in ('XYZ', 'XYM'):
        yield variant(f'polygons of {dimensions}', dimensions=dimensions)
    for order in ([LAKE, ISLAND, HOLE, SHELL], [ISLAND, HOLE, LAKE, SHELL, OTHER]):
        yield variant(f'holes before shells, {len(order)} rings', rings=order)
    yield variant('a hole that touches its shell and is stored before it, and a part', rings=[TOUCHING, OTHER, SHELL])
    # If all rings are turned, GDAL reads holes as land. So `drawn` states the intended shape.
    yield variant('all rings turned', rings=[SHELL, HOLE], turned=True, drawn=[[SHELL, HOLE]])
    yield variant('all rings turned, parts', rings=[SHELL, OTHER, HOLE], turned=True, drawn=[[SHELL, HOLE], [OTHER]])
    yield variant('lake in an island in a lake, all rings turned', rings=[SHELL, HOLE, ISLAND, LAKE], turned=True, drawn=[[SHELL, HOLE], [ISLAND, LAKE]])
    yield variant('a hole with the direction of its shell', rings=[SHELL, HOLE[::-1]])
    yield variant('a ring that is open', rings=[SHELL[:-1]])
    yield variant('a row without geometry', shapes=['square', None, 'hole'])
    yield variant('only rows without geometry', shapes=[None, None])
    yield variant('no row', shapes=[])
    for wkt, name in (('POINT (78 21)', 'points'), ('LINESTRING (78 21,79 22)', 'lines'), ('MULTIPOINT ((78 21),(79 22))', 'multipoints')):
        yield variant(name, shapes=[wkt], traits=['no polygons'])


def texts():
    yield variant('Hindi in UTF-8', rows=HINDI, options=['ENCODING=UTF-8'])
    yield variant('Hindi in UTF-8 without .cpg', rows=HINDI, options=['ENCODING=UTF-8'], leave=['cpg'], as_utf8=True)
    yield variant('.cpg with another spelling of UTF-8', rows=HINDI, options=['ENCODING=UTF-8'], cpg='utf8\r\n')
    for encoding, name in (('ISO-8859-1', 'Ölandsgård'), ('CP1252', 'Ölandsgård – “x”'), ('CP1251', 'Москва'), ('CP437', 'Ölandsgård'), ('CP932', '東京'), ('CP936', '北京')):
        yield variant(f'texts in {encoding}', rows=[{'tehsil': name, 'uid': 3}], options=['ENCODING=' + encoding])


def references():
    yield variant('no .prj', leave=['prj'])
    for crs, name in (('EPSG:32644', 'UTM as ESRI spells it'), ('EPSG:32743', 'UTM south of the equator')):
        yield variant(name, crs=crs, shapes=['south and west'] if 'south' in name else ['hole', 'parts'])
    yield variant('WGS 84 as OGC spells it', prj='WKT1_GDAL')
    yield variant('WGS 84 as WKT2', prj='WKT2_2019')
    yield variant('UTM as OGC spells it', crs='EPSG:32643', prj='WKT1_GDAL')
    yield variant('Web Mercator', crs='EPSG:3857', traits=['crs'])
    yield variant('Kalianpur 1975 with its shift', crs=KALIANPUR, text=KALIANPUR, tolerance=METRE)
    yield variant('UTM on Kalianpur 1975 with its shift', crs=KALIANPUR_UTM, text=KALIANPUR_UTM, tolerance=METRE)
    yield variant('seven parameters', crs=EVEREST, text=EVEREST, tolerance=METRE)
    yield variant('Kalianpur 1975 without its shift', crs='EPSG:4146', tolerance=METRE, traits=['datum'])
    yield variant('WGS 84 with heights', crs='EPSG:4326+5773')
    yield variant('UTM with heights', crs='EPSG:32643+5773')
    yield variant('UTM in feet', crs=IN_FEET, text=IN_FEET)
    yield variant('longitudes from Paris', crs=FROM_PARIS, text=FROM_PARIS, traits=['crs'])
    yield variant('a CRS of a village', text=LOCAL, traits=['crs'])


def tables():
    yield variant('numbers', fields={'whole': 'int', 'long': 'int64', 'real': 'real'}, rows=[{'whole': -7, 'long': 1234567890123456, 'real': 1e-7}, {'whole': None, 'long': 0, 'real': -123456.789}])
    yield variant('days', fields={'uid': 'int', 'day': 'date'}, rows=[{'uid': 1, 'day': '2024/02/29'}], absent=['day'])
    yield variant('long texts', width=254, rows=[{'tehsil': 'क' * 84, 'uid': 1}, {'tehsil': 'x' * 254, 'uid': 2}])
    yield variant('a row that was deleted', delete=[1])


def files():
    yield variant('without .shx', leave=['shx'])
    yield variant('upper-case endings', upper=True)
    yield variant('in sub-folders', folder='data/of 2024')
    yield variant('two layers, of which one has the requested name', second='other')


def variants():
    return [v for family in (shapes, texts, references, tables, files) for v in family()]


def make(v, folder, index):
    path = os.path.join(folder, str(index))
    os.mkdir(path)
    shp = os.path.join(path, 'places.shp')
    crs = v.get('crs', 'EPSG:4326')
    write(shp, v, reference(crs))
    change(shp, path, v)
    gdal.SetConfigOption('SHAPE_RESTORE_SHX', 'YES')
    gdal.SetConfigOption('SHAPE_ENCODING', 'UTF-8' if v.get('as_utf8') else None)
    members = sorted(glob.glob(os.path.join(path, '*')))
    zipped = f'{path}.zip'
    with zipfile.ZipFile(zipped, 'w', zipfile.ZIP_DEFLATED) as out:
        for member in members:
            out.write(member, os.path.join(v.get('folder', ''), os.path.basename(member)))
    dataset = gdal.OpenEx(shp.replace('.shp', '.SHP') if v.get('upper') else shp, gdal.OF_VECTOR)
    features = read(dataset.GetLayer(0), v)
    if 'drawn' in v:
        features[0]['shape'] = shape_of(geometry(v['drawn']), None)
    return {'name': v['name'], 'file': zipped, 'traits': v['traits'], 'tolerance': v.get('tolerance', 1e-9), 'features': features}


def write(shp, v, srs):
    kind = next((ogr.CreateGeometryFromWkt(s).GetGeometryType() for s in v.get('shapes', []) if s and s not in SHAPES), ogr.wkbPolygon)
    flags = v.get('dimensions', '')
    kind = ogr.GT_SetModifier(kind, 'Z' in flags, 'M' in flags)
    driver = ogr.GetDriverByName('ESRI Shapefile')
    dataset = driver.CreateDataSource(shp)
    options = v.get('options', ['ENCODING=UTF-8'])
    layer = dataset.CreateLayer('places', srs, kind, options)
    facts = {**v, 'shapes': ['square']} if 'rings' in v else v
    fill(layer, facts, srs)
    for fid in v.get('delete', []):
        layer.DeleteFeature(fid)
    del layer, dataset
    if 'second' in v:
        second = driver.CreateDataSource(shp.replace('places', v['second']))
        fill(second.CreateLayer(v['second'], srs, kind, options), {**v, 'shapes': ['two holes']}, srs)


def change(shp, path, v):
    """Changes the files to imitate other programs."""
    if 'rings' in v:
        write_rings(shp, v['rings'], v.get('turned', False))
    part = lambda ending: shp.replace('.shp', '.' + ending)
    if 'prj' in v:
        with open(part('prj'), 'w', encoding='utf-8') as out:
            out.write(reference(v.get('crs', 'EPSG:4326')).ExportToWkt(['FORMAT=' + v['prj']]))
    if 'text' in v:
        with open(part('prj'), 'w', encoding='utf-8') as out:
            out.write(v['text'])
    if 'cpg' in v:
        with open(part('cpg'), 'w', encoding='utf-8', newline='') as out:
            out.write(v['cpg'])
    for ending in v.get('leave', []):
        os.remove(part(ending))
    if v.get('upper'):
        for name in os.listdir(path):
            stem, ending = os.path.splitext(name)
            os.rename(os.path.join(path, name), os.path.join(path, stem + ending.upper()))


def write_rings(shp, rings, turned):
    """Writes one polygon of these rings in this order. Outer rings are clockwise and holes counter-clockwise, unless `turned`."""
    rings = [ring if turned else ring[::-1] for ring in rings]
    points = [corner for ring in rings for corner in ring]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    extent = (min(xs), min(ys), max(xs), max(ys))
    starts = [sum(len(ring) for ring in rings[:i]) for i in range(len(rings))]
    record = struct.pack('<i4d2i', 5, *extent, len(rings), len(points)) + struct.pack(f'<{len(rings)}i', *starts)
    record += b''.join(struct.pack('<2d', *corner) for corner in points)

    def head(words):
        return struct.pack('>i20xi', 9994, words) + struct.pack('<2i8d', 1000, 5, *extent, 0, 0, 0, 0)

    with open(shp, 'wb') as out:
        out.write(head((100 + 8 + len(record)) // 2) + struct.pack('>2i', 1, len(record) // 2) + record)
    with open(shp.replace('.shp', '.shx'), 'wb') as out:
        out.write(head(54) + struct.pack('>2i', 50, len(record) // 2))
