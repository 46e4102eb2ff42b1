"""Shapes and fields of layers that GDAL writes, and the content that GDAL reads from these layers, on WGS 84."""
import math
import random
import zlib

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
osr.UseExceptions()

TYPES = {
    'int': (ogr.OFTInteger, ogr.OFSTNone), 'int64': (ogr.OFTInteger64, ogr.OFSTNone), 'real': (ogr.OFTReal, ogr.OFSTNone),
    'text': (ogr.OFTString, ogr.OFSTNone), 'date': (ogr.OFTDate, ogr.OFSTNone), 'datetime': (ogr.OFTDateTime, ogr.OFSTNone),
    'bool': (ogr.OFTInteger, ogr.OFSTBoolean), 'blob': (ogr.OFTBinary, ogr.OFSTNone),
}


def box(west, south, size, turned=False):
    ring = [(west, south), (west + size, south), (west + size, south + size), (west, south + size), (west, south)]
    return ring[::-1] if turned else ring


def star(west, south, size, corners):
    """A ring with many corners."""
    ring = []
    for i in range(corners):
        angle, length = 2 * math.pi * i / corners, size * (0.5 if i % 2 else 0.8)
        ring.append((west + size + length * math.cos(angle), south + size + length * math.sin(angle)))
    return ring + ring[:1]


SHELL = box(78.0, 21.0, 0.8)
HOLE = box(78.1, 21.1, 0.6, True)
ISLAND = box(78.2, 21.2, 0.4)
LAKE = box(78.3, 21.3, 0.2, True)
ISLET = box(78.35, 21.35, 0.1)
OTHER = box(79.5, 21.0, 0.3)
#: Holes whose first corner lies on a side of their shell, between its ends: on the eastern side, on the northern side.
TOUCHING = [(78.8, 21.4), (78.6, 21.3), (78.6, 21.5), (78.8, 21.4)]
NORTHERN = [(78.2, 21.8), (78.3, 21.7), (78.1, 21.7), (78.2, 21.8)]

#: Polygons of a feature. Each is a list of rings; the first is the outer ring.
SHAPES = {
    'square': [[SHELL]],
    'hole': [[SHELL, HOLE]],
    'two holes': [[SHELL, box(78.1, 21.1, 0.2, True), box(78.5, 21.5, 0.2, True)]],
    'parts': [[SHELL], [OTHER]],
    'parts with holes': [[SHELL, HOLE], [OTHER, box(79.6, 21.1, 0.1, True)]],
    'island in a lake': [[SHELL, HOLE], [ISLAND]],
    'lake in an island in a lake': [[SHELL, HOLE], [ISLAND, LAKE]],
    'islet in a lake in an island in a lake': [[SHELL, HOLE], [ISLAND, LAKE], [ISLET]],
    'hole that touches its shell': [[SHELL, TOUCHING]],
    'hole that touches its shell in its third corner': [[SHELL, TOUCHING[1:] + TOUCHING[1:2]]],
    'holes that touch each other': [[SHELL, box(78.1, 21.1, 0.2, True), box(78.3, 21.3, 0.2, True)]],
    'parts that touch': [[box(78.0, 21.0, 0.3)], [box(78.3, 21.3, 0.3)]],
    'many corners': [[star(78.0, 21.0, 0.4, 600)]],
    'holes that touch and a part': [[SHELL, TOUCHING, NORTHERN], [OTHER]],
    'south and west': [[box(-60.3, -20.2, 0.4)]],
    'at the meridian of 180 degrees': [[box(179.2, -17.0, 0.5)]],
}


def reference(text):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(text)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


WGS84 = reference('EPSG:4326')


def geometry(polygons, dimensions='XY', single=None):
    """A geometry of polygons. One polygon becomes a Polygon, or a MultiPolygon if `single` is False."""
    parts = []
    for rings in polygons:
        polygon = ogr.Geometry(ogr.wkbPolygon)
        for ring in rings:
            line = ogr.Geometry(ogr.wkbLinearRing)
            for x, y in ring:
                line.AddPoint_2D(x, y)
            polygon.AddGeometryDirectly(line)
        parts.append(polygon)
    if len(parts) == 1 and single is not False:
        made = parts[0]
    else:
        made = ogr.Geometry(ogr.wkbMultiPolygon)
        for part in parts:
            made.AddGeometryDirectly(part)
    made.Set3D('Z' in dimensions)
    made.SetMeasured('M' in dimensions)
    return made


def fill(layer, v, srs):
    """Writes the fields and features of a variant."""
    fields = v.get('fields', {'tehsil': 'text', 'uid': 'int'})
    for name, kind in fields.items():
        column = ogr.FieldDefn(name, TYPES[kind][0])
        column.SetSubType(TYPES[kind][1])
        if kind == 'text':
            column.SetWidth(v.get('width', 60))
        layer.CreateField(column)
    to_srs = osr.CoordinateTransformation(WGS84, srs) if srs is not None and not srs.IsSame(WGS84) and not srs.IsLocal() else None
    for index, (shape, values) in enumerate(rows(v, fields)):
        feature = ogr.Feature(layer.GetLayerDefn())
        for name, value in values.items():
            if isinstance(value, bytes):
                feature.SetFieldBinaryFromHexString(name, value.hex())
            elif value is not None:
                feature.SetField(name, value)
        if shape is not None:
            made = ogr.CreateGeometryFromWkt(shape) if isinstance(shape, str) else geometry(shape, v.get('dimensions', 'XY'), v.get('single'))
            if to_srs is not None:
                made.Transform(to_srs)
            feature.SetGeometryDirectly(made)
        layer.CreateFeature(feature)


def rows(v, fields):
    names = v.get('shapes', ['hole', 'square', 'parts'])
    for index, name in enumerate(names):
        shape = SHAPES[name] if name in SHAPES else name
        values = v['rows'][index % len(v['rows'])] if 'rows' in v else {'tehsil': f'Tehsil {index}', 'uid': 100 + index}
        yield shape, values


def read(layer, v):
    """The content that GDAL reads from a layer, on WGS 84."""
    # GDAL omits the datum shift to WGS 84 that a GeoPackage defines. So the definition of the variant is used
    # instead.
    srs = reference(v['definition']) if 'definition' in v else layer.GetSpatialRef()
    if srs is not None:
        srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    to_wgs84 = None if srs is None or srs.IsLocal() or 'Undefined' in srs.GetName() else osr.CoordinateTransformation(srs, WGS84)
    return [{'properties': properties(feature, v), 'shape': shape_of(feature.GetGeometryRef(), to_wgs84)} for feature in layer]


def properties(feature, v):
    definition = feature.GetDefnRef()
    found = {}
    for i in range(definition.GetFieldCount()):
        column = definition.GetFieldDefn(i)
        name = column.GetName()
        if name in v.get('absent', []):
            continue
        if not feature.IsFieldSetAndNotNull(i) or column.GetType() == ogr.OFTBinary:
            found[name] = None
        elif column.GetType() in (ogr.OFTInteger, ogr.OFTInteger64):
            found[name] = feature.GetFieldAsInteger64(i)
        elif column.GetType() == ogr.OFTReal:
            found[name] = feature.GetFieldAsDouble(i)
        elif column.GetType() in (ogr.OFTDate, ogr.OFTDateTime):
            found[name] = feature.GetFieldAsISO8601DateTime(i)
        else:
            found[name] = feature.GetFieldAsString(i).strip()
    return {**found, **v.get('truth', {})}


def shape_of(made, to_wgs84):
    if made is None or made.IsEmpty() or ogr.GT_Flatten(made.GetGeometryType()) not in (ogr.wkbPolygon, ogr.wkbMultiPolygon):
        return None
    made = made.Clone()
    if to_wgs84 is not None:
        made.Transform(to_wgs84)
    polygons = [made] if ogr.GT_Flatten(made.GetGeometryType()) == ogr.wkbPolygon else [made.GetGeometryRef(i) for i in range(made.GetGeometryCount())]
    rings = [[[p[:2] for p in polygon.GetGeometryRef(r).GetPoints()] for r in range(polygon.GetGeometryCount())] for polygon in polygons]
    corners = sorted({corner for polygon in rings for ring in polygon for corner in ring})
    west, south = min(x for x, _ in corners), min(y for _, y in corners)
    east, north = max(x for x, _ in corners), max(y for _, y in corners)
    draw = random.Random(zlib.crc32(repr(rings).encode()))
    points = [(draw.uniform(west, east), draw.uniform(south, north)) for _ in range(60)]
    area = sum(abs(doubled(polygon[0])) - sum(abs(doubled(hole)) for hole in polygon[1:]) for polygon in rings) / 2
    return {'corners': corners, 'area': area, 'points': [(x, y, any(within(polygon, x, y) for polygon in rings)) for x, y in points]}


def doubled(ring):
    x0, y0 = ring[0]
    return sum((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0) for (x1, y1), (x2, y2) in zip(ring, ring[1:]))


def within(polygon, x, y):
    return in_ring(polygon[0], x, y) and not any(in_ring(hole, x, y) for hole in polygon[1:])


def in_ring(ring, x, y):
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside
