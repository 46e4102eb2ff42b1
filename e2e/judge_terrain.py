"""Judges published slope and landforms of a DEM: slope by gdaldem, landforms from gdaldem's slope and positions by NumPy.

  python judge_terrain.py DEM.tif SLOPE.tif LANDFORMS.tif ZONES.geojson

ZONES: features in the order of their precedence, lon/lat. Prints JSON: the number of compared pixels, the share of them whose slope is
within 1e-4 (1 + slope) of gdaldem's, the largest such relative difference, the share with the same landform, and the landforms found.
"""
import json
import math
import subprocess
import sys
import tempfile

import numpy as np
import rasterio
from rasterio.features import rasterize
from rasterio.warp import transform_geom

NODATA = -9999.0
A, F = 6378137.0, 1 / 298.257223563
E2 = F * (2 - F)


def cell_sizes(source):
    """Size of a pixel, eastward and northward, per row, metres."""
    rows, step = source.height, source.transform
    if not source.crs.is_geographic:
        return np.full(rows, step.a), np.full(rows, -step.e)
    lat = np.radians(step.f + step.e * (np.arange(rows) + 0.5))
    w2 = 1 - E2 * np.sin(lat) ** 2
    return A / np.sqrt(w2) * np.cos(lat) * math.radians(step.a), A * (1 - E2) / w2**1.5 * math.radians(-step.e)


def gdaldem(heights, x, y):
    """Slope of a plane in percent; the pixels have x by y metres."""
    with tempfile.TemporaryDirectory() as folder:
        rows, cols = heights.shape
        profile = dict(driver="GTiff", width=cols, height=rows, count=1, dtype="float32", crs="EPSG:32644", nodata=NODATA)
        transform = rasterio.transform.from_origin(500000, 2000000, x, y)
        with rasterio.open(folder + "/dem.tif", "w", transform=transform, **profile) as f:
            f.write(heights, 1)
        subprocess.run(["gdaldem", "slope", folder + "/dem.tif", folder + "/out.tif", "-p", "-compute_edges", "-q"], check=True)
        with rasterio.open(folder + "/out.tif") as f:
            return f.read(1)


def slope_plane(heights, x, y):
    """Slope in percent if pixel sizes differ between rows. Eight rows use the pixel size of their middle row, which differs by at most 1e-5."""
    if np.ptp(x) == 0 and np.ptp(y) == 0:
        return gdaldem(heights, x[0], y[0])
    out = np.full(heights.shape, NODATA, "float32")
    for row in range(1, len(x) - 1, 8):
        past = min(row + 8, len(x) - 1)
        middle = (row + past) // 2
        out[row:past] = gdaldem(heights[row - 1 : past + 1], x[middle], y[middle])[1:-1]
    return out


def position(heights, x, y, inner, outer):
    """Height above the mean of the surrounding pixels, metres. Their distance is greater than inner and at most outer."""
    rows, cols = heights.shape
    sums, count = np.zeros(heights.shape), np.zeros(heights.shape)
    reach_y, reach_x = int(outer / y.min()) + 1, int(outer / x.min()) + 1
    for down in range(-reach_y, reach_y + 1):
        here = slice(max(0, -down), min(rows, rows - down))
        there = slice(max(0, down), min(rows, rows + down))
        for right in range(-reach_x, reach_x + 1):
            squared = (down * y[here]) ** 2 + (right * x[here]) ** 2
            taken = ((squared > inner**2 + 1e-6) & (squared <= outer**2 + 1e-6))[:, None]
            if not taken.any():
                continue
            a, b = slice(max(0, -right), min(cols, cols - right)), slice(max(0, right), min(cols, cols + right))
            sums[here, a] += taken * heights[there, b]
            count[here, a] += taken
    return heights - sums / count


def standardised(plane, zones):
    out = np.zeros(plane.shape)
    for zone in range(1, zones.max() + 1):
        mine = zones == zone
        if mine.any() and plane[mine].std() > 0:
            out[mine] = (plane[mine] - plane[mine].mean()) / plane[mine].std()
    return out


def widened(zones):
    """Gives each pixel without a zone the zone of its first neighbour that has a zone. Neighbours are searched row by row from the north-west."""
    padded, out = np.pad(zones, 1), zones.copy()
    for down in (0, 1, 2):
        for right in (0, 1, 2):
            other = padded[down : down + zones.shape[0], right : right + zones.shape[1]]
            out = np.where(out == 0, other, out)
    return out


def landforms(heights, x, y, percent, zones):
    near = standardised(position(heights, x, y, 150, 300), zones)
    far = standardised(position(heights, x, y, 1860, 2010), zones)
    limit = np.full(heights.shape, np.inf)
    for zone in range(1, zones.max() + 1):
        mine = zones == zone
        if mine.any():
            limit[mine] = max(0.3, 3 - math.log10(heights[mine].std() + 1))
    slope = np.degrees(np.arctan(percent / 100))
    near, far = [np.where(p <= -limit, -1, np.where(p >= limit, 1, 0)) for p in (near, far)]
    level = np.where(slope < 5, 5, np.where(slope < 20, 6, 8))
    table = {(-1, -1): 1, (-1, 0): 2, (-1, 1): 3, (0, -1): 4, (1, -1): 9, (1, 0): 10, (1, 1): 11}
    out = np.where(far > 0, np.where(slope < 6, 7, 8), level)
    for (a, b), code in table.items():
        out[(near == a) & (far == b)] = code
    return np.where(zones > 0, out, 0).astype("uint8")


def onto(plane, source, target, nodata):
    """Resamples the plane from the source's grid to the target's pixels by nearest neighbour, without approximation."""
    with tempfile.TemporaryDirectory() as folder:
        profile = dict(driver="GTiff", width=source.width, height=source.height, count=1, dtype=plane.dtype, nodata=nodata)
        with rasterio.open(folder + "/a.tif", "w", crs=source.crs, transform=source.transform, **profile) as f:
            f.write(plane, 1)
        box = [str(edge) for edge in target.bounds]
        size = [str(target.width), str(target.height)]
        command = ["gdalwarp", "-q", "-r", "near", "-et", "0", "-t_srs", "EPSG:4326", "-te", *box, "-ts", *size]
        subprocess.run([*command, folder + "/a.tif", folder + "/b.tif"], check=True)
        with rasterio.open(folder + "/b.tif") as f:
            return f.read(1)


def main(dem, slope, forms, zones):
    with rasterio.open(dem) as source, rasterio.open(slope) as ours, rasterio.open(forms) as codes:
        heights = source.read(1).astype("float64")
        x, y = cell_sizes(source)
        with open(zones) as f:
            outlines = [transform_geom("EPSG:4326", source.crs, each["geometry"]) for each in json.load(f)["features"]]
        # Drawn in reverse order, so that the first shape stays where shapes overlap.
        shapes = [(outline, index + 1) for index, outline in enumerate(outlines)][::-1]
        index = widened(widened(rasterize(shapes, heights.shape, transform=source.transform, dtype="int32")))
        percent = slope_plane(heights.astype("float32"), x, y)
        theirs = onto(percent, source, ours, NODATA)
        values = ours.read(1)
        compared = (values != NODATA) & (theirs != NODATA)
        away = np.abs(values - theirs)[compared] / (1 + theirs[compared])
        expected = onto(landforms(heights, x, y, percent, index), source, codes, 0)
        found = codes.read(1)
        known = (found > 0) & (expected > 0)
        print(
            json.dumps(
                {
                    "slopes": int(compared.sum()),
                    "slopesEqual": float((away <= 1e-4).mean()),
                    "slopeWorst": float(away.max()),
                    "landforms": int(known.sum()),
                    "landformsEqual": float((found == expected)[known].mean()),
                    "met": sorted({int(code) for code in np.unique(found[known])}),
                }
            )
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
