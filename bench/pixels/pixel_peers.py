"""Peers of the bench's rows about pixels. Speeds are per second of processor time, in million pixels or million bytes. The script has the protocol of the other peers (`--serve`,
one round per line).

  python pixel_peers.py warp                                  nearest codes of another UTM zone: rasterio.warp.reproject
  python pixel_peers.py polygonise CLASSES.tif OUT            polygons of a class map: gdal_polygonize (into a FlatGeobuf), rasterio.features.shapes
  python pixel_peers.py inflate FILE.tif                      zlib streams of the tiles at full resolution: libdeflate (Debian: libdeflate0)
  python pixel_peers.py zonal_values FLOATS.tif ZONES.geojson count, mean, sum, min and max of each zone: exactextract, pixels in memory
"""

import json
import os
import subprocess
import sys

import numpy as np

SIDE = 4096


def codes(side):
    """Codes 0 and 1 in blobs, the same as in bench/rows/warp.ts."""
    x, y = np.arange(side, dtype=np.uint32), np.arange(side, dtype=np.uint32)[:, None]
    return ((((x >> 5) * 7 + (y >> 4) * 13) % 11) > 4).astype(np.uint8)


def warp():
    import rasterio.warp
    from rasterio.transform import from_origin

    source = codes(SIDE // 2)
    target = np.zeros((SIDE, SIDE), np.uint8)

    def run():
        rasterio.warp.reproject(
            source, target, src_transform=from_origin(290000, 2709000, 20, 20), src_crs="EPSG:32644", dst_crs="EPSG:32643",
            dst_transform=from_origin(899000, 2712000, 10, 10), resampling=rasterio.warp.Resampling.nearest, num_threads=1,
        )
        return target

    return {"warp_rasterio": (run, SIDE * SIDE / 1e6, lambda out: int(out.sum()))}


def polygonise(path, out):
    import rasterio
    import rasterio.features

    with rasterio.open(path) as file:
        classes, transform = file.read(1), file.transform
    target = os.path.join(out, "theirs.fgb")

    def program():
        if os.path.exists(target):
            os.remove(target)
        subprocess.run(["gdal_polygonize.py", "-q", path, "-f", "FlatGeobuf", target], check=True)
        return None

    def shapes():
        return sum(1 for _ in rasterio.features.shapes(classes, mask=classes != 0, connectivity=4, transform=transform))

    mpix = classes.size / 1e6
    return {"polygonise_gdal_polygonize": (program, mpix, lambda _: None), "polygonise_rasterio": (shapes, mpix, lambda count: count)}


def zonal_values(path, zones):
    import rasterio
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource

    with rasterio.open(path) as file:
        values, b = file.read(1), file.bounds
    with open(zones, encoding="utf-8") as file:
        features = json.load(file)["features"]
    source = NumPyRasterSource(values, xmin=b.left, ymin=b.bottom, xmax=b.right, ymax=b.top, srs_wkt=None)

    def run():
        return exact_extract(source, features, ["count", "mean", "sum", "min", "max"], include_cols=["uid"])

    def check(found):
        return sum(each["properties"]["max"] - each["properties"]["min"] for each in found)

    return {"zonal_values_exactextract": (run, values.size / 1e6, check)}


def inflate(path):
    import ctypes

    import rasterio

    library = ctypes.CDLL("libdeflate.so.0")
    library.libdeflate_alloc_decompressor.restype = ctypes.c_void_p
    decompress = library.libdeflate_zlib_decompress
    decompress.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    with rasterio.open(path) as file:
        (rows, cols), size = file.block_shapes[0], np.dtype(file.dtypes[0]).itemsize
        across, down = -(-file.width // cols), -(-file.height // rows)
        tag = lambda name, x, y: int(file.get_tag_item(f"BLOCK_{name}_{x}_{y}", "TIFF", bidx=1))
        places = [(tag("OFFSET", x, y), tag("SIZE", x, y)) for y in range(down) for x in range(across)]
    with open(path, "rb") as file:
        data = file.read()
    tiles = [data[at : at + length] for at, length in places]
    out, bytes_out = ctypes.create_string_buffer(rows * cols * size), rows * cols * size
    decompressor = ctypes.c_void_p(library.libdeflate_alloc_decompressor())

    def run():
        for tile in tiles:
            if decompress(decompressor, tile, len(tile), out, bytes_out, None) != 0:
                raise ValueError("a tile is damaged")
        return len(tiles) * bytes_out

    return {"inflate_libdeflate": (run, len(tiles) * bytes_out / 1e6, lambda total: total)}


def cpu():
    """Processor time of this process and of the programs that it ran, s."""
    return sum(os.times()[:4])


CASES = {"inflate": inflate, "warp": warp, "polygonise": polygonise, "zonal_values": zonal_values}


def main():
    cases = CASES[sys.argv[1]](*[a for a in sys.argv[2:] if not a.startswith("--")])
    checks = {name: check(run()) for name, (run, _, check) in cases.items()}
    print(json.dumps({"ready": list(cases)}), flush=True)
    for name in map(str.strip, sys.stdin):
        run, work, _ = cases[name]
        start = cpu()
        run()
        value = work / (cpu() - start)
        print(json.dumps({"name": name, "value": value, "check": checks[name]}), flush=True)


if __name__ == "__main__":
    main()
