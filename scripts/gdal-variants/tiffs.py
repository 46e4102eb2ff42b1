"""300 TIFF variants that GDAL writes, each with the values that GDAL reads from it."""
import itertools
import os
import zlib

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()

INTEGERS = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32']
FLOATS = ['float32', 'float64']
GDAL_TYPES = {
    'uint8': gdal.GDT_Byte, 'int8': gdal.GDT_Byte, 'uint16': gdal.GDT_UInt16, 'int16': gdal.GDT_Int16,
    'uint32': gdal.GDT_UInt32, 'int32': gdal.GDT_Int32, 'float32': gdal.GDT_Float32, 'float64': gdal.GDT_Float64,
    'int64': gdal.GDT_Int64, 'uint64': gdal.GDT_UInt64,
    'cint16': gdal.GDT_CInt16, 'cint32': gdal.GDT_CInt32, 'cfloat32': gdal.GDT_CFloat32, 'cfloat64': gdal.GDT_CFloat64,
}
NUMPY_TYPES = {'cint16': 'complex64', 'cint32': 'complex64', 'cfloat32': 'complex64', 'cfloat64': 'complex128'}
SIZES = [(53, 41), (40, 70), (67, 45), (61, 61)]
UTM = (500010.0, 30.0, 0.0, 2600020.0, 0.0, -30.0)
TILES = ['TILED=YES', 'BLOCKXSIZE=32', 'BLOCKYSIZE=16']


def variant(name, dtype='uint16', **facts):
    return {'name': name, 'dtype': dtype, 'bands': 1, 'options': [], 'traits': [], **facts}


def decoding():
    """Every sample type with DEFLATE, LZW, ZSTD or no compression and every predictor, in strips and tiles. The byte orders alternate."""
    for dtype in INTEGERS + FLOATS:
        ways = [('NONE', 1)] + [(c, p) for c in ('DEFLATE', 'LZW', 'ZSTD') for p in ((1, 2, 3) if dtype in FLOATS else (1, 2))]
        for index, (compression, predictor) in enumerate(ways):
            for tiled in (False, True):
                order = 'BIG' if (index + tiled) % 2 else 'LITTLE'
                both = ['LITTLE', 'BIG'] if predictor == 2 and dtype in ('int32', 'float64') else [order]
                for endianness in both:
                    options = ['COMPRESS=' + compression, 'ENDIANNESS=' + endianness] + (TILES if tiled else ['BLOCKYSIZE=7'])
                    options += ['PREDICTOR=%d' % predictor] if predictor > 1 else []
                    options += ['BIGTIFF=YES'] if index % 3 == 2 else []
                    yield variant(' '.join([dtype, 'tiles' if tiled else 'strips', *options]), dtype, options=options)


def layouts():
    for height, (dtype, compression) in itertools.product((1, 3, 4000), (('uint8', 'LZW'), ('float32', 'DEFLATE'))):
        options = ['BLOCKYSIZE=%d' % height, 'COMPRESS=' + compression]
        yield variant(f'strips of {height} rows, {dtype}', dtype, options=options)
    for (w, h), (dtype, compression) in itertools.product(((16, 16), (112, 16), (64, 64), (128, 256)), (('uint8', 'NONE'), ('int16', 'ZSTD'))):
        options = ['TILED=YES', f'BLOCKXSIZE={w}', f'BLOCKYSIZE={h}', 'COMPRESS=' + compression]
        yield variant(f'tiles of {w} x {h}, {dtype}', dtype, options=options + ['PREDICTOR=2'] * (compression != 'NONE'))
    yield variant('one pixel', 'float32', size=(1, 1))
    yield variant('one column in tiles', 'uint16', size=(1, 47), options=TILES)
    for compression, order in (('DEFLATE', 'LITTLE'), ('LZW', 'BIG')):
        options = TILES + ['COMPRESS=' + compression, 'ENDIANNESS=' + order]
        yield variant(f'overviews that were added later, {compression}', 'int16', options=options, overviews=[2, 4])
    yield variant('overviews by mode of bytes', 'uint8', options=TILES, overviews=[2, 4, 8], resampling='MODE')


def cogs():
    for dtype, compression in itertools.product(('uint8', 'uint16', 'int32', 'float32', 'float64'), ('DEFLATE', 'ZSTD', 'LZW')):
        predictor = 'STANDARD' if compression == 'LZW' else 'YES'
        options = ['BLOCKSIZE=128', 'COMPRESS=' + compression, 'PREDICTOR=' + predictor, 'RESAMPLING=NEAREST']
        yield variant(f'COG {dtype} {compression}', dtype, driver='COG', options=options, size=(300, 280))
    yield variant('COG with nodata, average', 'float32', driver='COG', nodata=-9999.0, size=(270, 290), options=['BLOCKSIZE=128', 'COMPRESS=DEFLATE', 'RESAMPLING=AVERAGE'])
    yield variant('COG with a mask', 'uint8', driver='COG', mask=True, size=(270, 290), options=['BLOCKSIZE=128', 'COMPRESS=DEFLATE'], traits=['mask'])


def sparse():
    for dtype, nodata, options in (
        ('uint8', None, TILES), ('uint16', 7, TILES), ('float32', float('nan'), TILES + ['COMPRESS=DEFLATE']),
        ('float32', -9999.9, ['COMPRESS=ZSTD']), ('int16', -32768, ['BIGTIFF=YES']), ('float64', None, TILES + ['PREDICTOR=3', 'COMPRESS=LZW']),
    ):
        name = f'sparse {dtype} with nodata {nodata} {" ".join(options)}'
        yield variant(name, dtype, nodata=nodata, sparse=True, options=options + ['SPARSE_OK=TRUE'])


def nodata():
    for dtype, values in {
        'float32': [-9999.9, -9999.0, float('nan'), -3.4e38, -3.4028234663852886e38, 1e-20, 0.1, 0.0, float('-inf')],
        'float64': [-9999.9, float('nan'), -1.7976931348623157e308],
        'int16': [-32768, -9999], 'uint8': [0, 255, -9999, 300], 'uint16': [65535, 0],
        'int32': [-2147483648], 'uint32': [4294967295], 'int8': [-128],
    }.items():
        for value in values:
            yield variant(f'nodata {value} of {dtype}', dtype, nodata=value, options=['COMPRESS=DEFLATE'])


def scaled():
    for dtype, scale, offset, value in (
        ('int16', 0.1, 0.0, -32768), ('uint16', 0.0001, -0.1, 0), ('uint8', 1.0, 273.15, None), ('float32', 0.1, 0.0, -9999.9),
        ('int32', -2.5, 10.0, None), ('uint16', 1.0, 0.0, 0),
    ):
        traits = ['scale'] if (scale, offset) != (1.0, 0.0) else []
        yield variant(f'scale {scale}, offset {offset} of {dtype}', dtype, scale=(scale, offset), nodata=value, traits=traits)
    for dtype, options in (('int16', TILES + ['COMPRESS=DEFLATE']), ('float32', ['ENDIANNESS=BIG'])):
        yield variant(f'scale, mask, nodata and overviews of {dtype}', dtype, scale=(0.1, -5.0), mask=True, nodata=7, overviews=[2, 4], options=options, traits=['scale', 'mask'])
    yield variant('scale, mask and overviews of a COG', 'uint16', driver='COG', scale=(10.0, 0.5), mask=True, size=(270, 290), traits=['scale', 'mask'], options=['BLOCKSIZE=128', 'COMPRESS=ZSTD', 'RESAMPLING=NEAREST'])
    yield variant('scale next to the file', 'int16', scale=(0.1, 0.0), options=['PROFILE=GeoTIFF'], traits=['side values'])
    yield variant('scale of a COG', 'int16', driver='COG', scale=(0.1, 5.0), traits=['scale'], options=['COMPRESS=DEFLATE'])


def masked():
    for dtype, options in (('uint8', []), ('uint8', TILES), ('uint16', TILES + ['COMPRESS=DEFLATE', 'PREDICTOR=2']), ('float32', ['COMPRESS=LZW', 'ENDIANNESS=BIG']), ('int16', ['BIGTIFF=YES'])):
        yield variant(f'internal mask of {dtype} {" ".join(options)}', dtype, mask=True, options=options, traits=['mask'])
    yield variant('internal mask and nodata', 'uint16', mask=True, nodata=0, traits=['mask'])
    yield variant('internal mask and overviews', 'uint8', mask=True, overviews=[2, 4], options=TILES, traits=['mask'])
    yield variant('a .msk file', 'uint8', mask='file', traits=['side mask'])
    yield variant('a .msk file of float32', 'float32', mask='file', options=TILES, traits=['side mask'])
    for interleave in ('PIXEL', 'BAND'):
        yield variant(f'grey and alpha by {interleave}', 'uint8', bands=2, alpha=True, options=['INTERLEAVE=' + interleave, 'ALPHA=YES'], traits=['alpha'])
        yield variant(f'colours and alpha by {interleave}', 'uint16', bands=4, alpha=True, options=['INTERLEAVE=' + interleave, 'ALPHA=YES', 'PHOTOMETRIC=RGB'] + TILES, traits=['bands'])
    yield variant('premultiplied alpha', 'uint8', bands=2, alpha=True, options=['ALPHA=PREMULTIPLIED'], traits=['alpha'])
    yield variant('grey, alpha and nodata', 'uint8', bands=2, alpha=True, nodata=0, options=['ALPHA=YES'], traits=['alpha'])


def banded():
    for bands, interleave, dtype in itertools.product((2, 3, 4), ('PIXEL', 'BAND'), ('uint8', 'int16')):
        options = ['INTERLEAVE=' + interleave] + ['COMPRESS=DEFLATE', 'PREDICTOR=2'] * (dtype == 'int16')
        yield variant(f'{bands} bands of {dtype} by {interleave}', dtype, bands=bands, options=options, traits=['bands'])
    yield variant('3 bands of YCbCr', 'uint8', bands=3, options=['COMPRESS=JPEG', 'PHOTOMETRIC=YCBCR'], traits=['bands', 'compression'])


def unread():
    for dtype in ('cint16', 'cint32', 'cfloat32', 'cfloat64'):
        yield variant(f'complex {dtype}', dtype, traits=['complex'], options=TILES if dtype == 'cint32' else [])
    for dtype in ('int64', 'uint64'):
        yield variant(f'{dtype}', dtype, traits=['64 bit'])
    for bits, dtype in ((1, 'uint8'), (2, 'uint8'), (4, 'uint8'), (12, 'uint16'), (24, 'uint32'), (16, 'float32')):
        yield variant(f'NBITS={bits} of {dtype}', dtype, options=[f'NBITS={bits}'], most=2 ** bits, traits=['bits'])
    yield variant('CCITT G4', 'uint8', options=['NBITS=1', 'COMPRESS=CCITTFAX4'], most=2, traits=['bits', 'compression'])
    for compression, dtype in (('PACKBITS', 'uint8'), ('PACKBITS', 'int16'), ('JPEG', 'uint8'), ('WEBP', 'uint8'), ('LERC', 'float32'), ('LERC_DEFLATE', 'uint16'), ('LERC_ZSTD', 'int32'), ('LZMA', 'uint8')):
        bands = 3 if compression == 'WEBP' else 1
        traits = ['compression'] * (compression in ('JPEG', 'WEBP', 'LZMA')) + ['bands'] * (bands > 1)
        yield variant(f'compressed by {compression}, {dtype}', dtype, bands=bands, options=['COMPRESS=' + compression], traits=traits)


def photometric():
    yield variant('palette of 8 bits', 'uint8', palette=True)
    yield variant('palette of 8 bits, deflate tiles, nodata', 'uint8', palette=True, nodata=0, options=TILES + ['COMPRESS=DEFLATE'])
    yield variant('palette of 16 bits', 'uint16', palette=True)
    yield variant('white is least, 8 bits', 'uint8', options=['PHOTOMETRIC=MINISWHITE'])
    yield variant('white is least, 16 bits', 'uint16', options=['PHOTOMETRIC=MINISWHITE', 'COMPRESS=LZW'])


def referenced():
    degrees = (77.0, 0.001, 0.0, 23.0, 0.0, -0.001)
    for code in (4326, 4269, 4240, 4146, 4258):
        yield variant(f'degrees of EPSG:{code}', crs=f'EPSG:{code}', transform=degrees)
    for code in (32601, 32644, 32660, 32743, 32633):
        yield variant(f'UTM of EPSG:{code}', crs=f'EPSG:{code}')
    yield variant('Web Mercator', crs='EPSG:3857', transform=(8600000.0, 30.0, 0.0, 2600020.0, 0.0, -30.0))
    yield variant('equal areas of EPSG:6933', crs='EPSG:6933', transform=(7500000.0, 90.0, 0.0, 2600020.0, 0.0, -90.0))
    yield variant('Lambert of EPSG:7755', crs='EPSG:7755', transform=(4000000.0, 30.0, 0.0, 4000000.0, 0.0, -30.0))
    yield variant('UTM of Kalianpur 1975', crs='EPSG:24343')
    yield variant('UTM of Indian 1975', crs='EPSG:24047')
    yield variant('UTM of NAD27', crs='EPSG:26711', transform=(500010.0, 30.0, 0.0, 3900020.0, 0.0, -30.0))
    yield variant('UTM with heights', crs='EPSG:32643+5773')
    yield variant('degrees with heights', crs='EPSG:4979', transform=degrees)
    yield variant('pixels are points, UTM', crs='EPSG:32643', point=True)
    yield variant('pixels are points, degrees', crs='EPSG:4326', transform=degrees, point=True)
    yield variant('pixels are points, degrees, COG', crs='EPSG:4326', transform=degrees, point=True, driver='COG')
    yield variant('pixels are not square', transform=(500010.0, 9.994792220070, 0.0, 2600020.0, 0.0, -19.9974484673))
    yield variant('west of Greenwich and south', crs='EPSG:4326', transform=(-71.5, 0.002, 0.0, -33.25, 0.0, -0.003))
    yield variant('profile GeoTIFF', options=['PROFILE=GeoTIFF'])
    yield variant('GeoTIFF 1.1', options=['GEOTIFF_VERSION=1.1'])
    yield variant('keys as ESRI writes them', options=['GEOTIFF_KEYS_FLAVOR=ESRI_PE'], traits=['no code'])
    yield variant('rotated', transform=(500010.0, 29.0, 3.0, 2600020.0, 3.0, -29.0), traits=['north-up'])
    yield variant('rows from south to north', transform=(500010.0, 30.0, 0.0, 2600020.0, 0.0, 30.0), traits=['north-up'])
    yield variant('columns from east to west', transform=(500010.0, -30.0, 0.0, 2600020.0, 0.0, -30.0), traits=['north-up'])
    yield variant('ground control points', gcps=True, traits=['no georeference'])
    yield variant('no georeference', transform=None, crs=None, traits=['no georeference'])
    yield variant('pixel size without a CRS', crs=None, traits=['no code'])
    yield variant('a CRS of its own', crs='+proj=laea +lat_0=22 +lon_0=79 +datum=WGS84 +units=m', traits=['no code'])
    yield variant('UTM in feet', crs='+proj=utm +zone=43 +datum=WGS84 +units=us-ft', traits=['no code'])


def variants():
    return [v for family in (decoding, layouts, cogs, sparse, nodata, scaled, masked, banded, unread, photometric, referenced) for v in family()]


def pixels(v, band, size):
    """Samples over the whole range of their type, with some nodata values. One half of the samples is a smooth ramp."""
    cols, rows = size
    random = numpy.random.default_rng(zlib.crc32(f'{v["name"]} {band}'.encode()))
    kind = numpy.dtype(NUMPY_TYPES.get(v['dtype'], v['dtype']))
    ramp = numpy.add.outer(numpy.arange(rows), numpy.arange(cols))
    if kind.kind == 'c':
        return (random.integers(-30000, 30000, (rows, cols)) + 1j * random.integers(-30000, 30000, (rows, cols))).astype(kind)
    if kind.kind == 'f':
        noise = random.normal(0, 1, (rows, cols)) * 10.0 ** random.integers(-9, 9, (rows, cols))
        data = numpy.where(ramp % 2 == 0, ramp * 0.3 - 7.1, noise).astype(kind)
    else:
        info = numpy.iinfo(kind)
        most = min(int(info.max), v.get('most', int(info.max) + 1) - 1)
        noise = random.integers(0 if 'most' in v else int(info.min), most, (rows, cols), dtype=kind, endpoint=True)
        data = numpy.where(ramp % 2 == 0, (ramp % (most + 1)).astype(kind), noise).astype(kind)
    if v.get('most') == 65536:
        data = numpy.float32(numpy.float16(ramp * 0.25))
    if v.get('sparse'):
        data[:] = v['nodata'] if v.get('nodata') is not None else 0
        data[rows // 2:, cols // 2:] = 5
    value = v.get('nodata')
    if value is not None and (kind.kind == 'f' or numpy.iinfo(kind).min <= value <= numpy.iinfo(kind).max):
        data[random.random((rows, cols)) < 0.2] = value
    return data


def fill(v, dataset, size):
    srs = osr.SpatialReference()
    crs = v.get('crs', 'EPSG:32643')
    if crs is not None:
        srs.SetFromUserInput(crs)
        srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    if v.get('gcps'):
        corners = [(0, 0, 77.0, 23.0), (size[0], 0, 77.1, 23.01), (0, size[1], 77.01, 22.9)]
        dataset.SetGCPs([gdal.GCP(x, y, 0, col, row) for col, row, x, y in corners], srs)
    else:
        if crs is not None:
            dataset.SetSpatialRef(srs)
        if v.get('transform', UTM) is not None:
            dataset.SetGeoTransform(v.get('transform', UTM))
    if v.get('point'):
        dataset.SetMetadataItem('AREA_OR_POINT', 'Point')
    for band in range(1, v['bands'] + 1):
        target = dataset.GetRasterBand(band)
        if v.get('nodata') is not None:
            target.SetNoDataValue(v['nodata'])
        if 'scale' in v:
            target.SetScale(v['scale'][0])
            target.SetOffset(v['scale'][1])
        if v.get('palette'):
            table = gdal.ColorTable()
            for i in range(256):
                table.SetColorEntry(i, (i, 255 - i, 7, 255))
            target.SetColorTable(table)
        if v.get('alpha') and band == v['bands']:
            target.SetColorInterpretation(gdal.GCI_AlphaBand)
        data = pixels(v, band, size)
        if not v.get('sparse'):
            write(target, data)
        else:
            write(target, data[size[1] // 2:, size[0] // 2:], size[0] // 2, size[1] // 2)
    if v.get('mask'):
        dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
        mask = numpy.random.default_rng(5).random((size[1], size[0])) < 0.7
        dataset.GetRasterBand(1).GetMaskBand().WriteArray((mask * 255).astype('uint8'))


def write(band, data, *at):
    band.WriteArray(data.view('uint8') if data.dtype == numpy.int8 else data, *at)


def make(v, folder, index):
    path = os.path.join(folder, f'{index}.tif')
    size = v.get('size', SIZES[index % len(SIZES)])
    signed = ['PIXELTYPE=SIGNEDBYTE'] if v['dtype'] == 'int8' else []
    gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'NO' if v.get('mask') == 'file' else 'YES')
    if v.get('driver') != 'COG':
        dataset = gdal.GetDriverByName('GTiff').Create(path, *size, v['bands'], GDAL_TYPES[v['dtype']], v['options'] + signed)
        fill(v, dataset, size)
    else:
        source = gdal.GetDriverByName('MEM').Create('', *size, v['bands'], GDAL_TYPES[v['dtype']])
        fill(v, source, size)
        dataset = gdal.GetDriverByName('COG').CreateCopy(path, source, options=v['options'])
    del dataset
    if 'overviews' in v:
        dataset = gdal.Open(path, gdal.GA_Update)
        dataset.BuildOverviews(v.get('resampling', 'NEAREST'), v['overviews'])
        del dataset
    return {'name': v['name'], 'file': path, 'traits': v['traits'], **read(path, v)}


def read(path, v):
    """Writes the values of band 1 that GDAL reads, level by level, and those of each band, as float64 (see `values`). Returns the other facts."""
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    levels = [band] + [band.GetOverview(i) for i in range(band.GetOverviewCount())]
    with open(path + '.values', 'wb') as out:
        for level in levels:
            out.write(values(level, v, band).astype('<f8').tobytes())
    for number in range(1, dataset.RasterCount + 1):
        values(dataset.GetRasterBand(number), v, dataset.GetRasterBand(number)).astype('<f8').tofile(f'{path}.band{number}')
    srs = dataset.GetSpatialRef()
    return {
        'bands': dataset.RasterCount,
        'sizes': [[level.XSize, level.YSize] for level in levels],
        'geoTransform': dataset.GetGeoTransform(),
        'centre': centre(dataset, srs),
    }


def values(band, v, scaled_by):
    """The values of a band or of its overview, with the scale and offset of `scaled_by` (the band) applied. Masked pixels are NaN."""
    data = band.ReadAsArray()
    if data.dtype.kind == 'c':
        return data.real
    if v['dtype'] == 'int8':
        data = data.view('int8')
    masked = data == v['nodata'] if v['dtype'] == 'int8' and 'nodata' in v else band.GetMaskBand().ReadAsArray() == 0
    scale, offset = scaled_by.GetScale(), scaled_by.GetOffset()
    with numpy.errstate(invalid='ignore'):
        scaled = data.astype('float64') * (1 if scale is None else scale) + (0 if offset is None else offset)
    return numpy.where(masked, numpy.nan, scaled)


def centre(dataset, srs):
    """Longitude and latitude (WGS 84) of the middle of the grid, computed by PROJ."""
    if srs is None:
        return None
    wgs84 = osr.SpatialReference()
    wgs84.ImportFromEPSG(4326)
    wgs84.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    west, dx, rx, north, ry, dy = dataset.GetGeoTransform()
    col, row = dataset.RasterXSize / 2, dataset.RasterYSize / 2
    return osr.CoordinateTransformation(srs, wgs84).TransformPoint(west + col * dx + row * rx, north + col * ry + row * dy)[:2]
