"""Peers of the bench's rows about pixels. Speeds are per second of processor time. The script has the protocol of the other peers (`--serve`, one round per line).

  python pixel_peers.py warp              nearest codes of another UTM zone: rasterio.warp.reproject, 1 thread
"""

import json
import sys
import time

import numpy as np

SIDE, MARGIN = 4096, 400


def codes(side):
    """Codes 0 and 1 in blobs, the same in bench/rows/resample.ts."""
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


CASES = {"warp": warp}


def main():
    cases = CASES[sys.argv[1]](*[a for a in sys.argv[2:] if not a.startswith("--")])
    checks = {name: check(run()) for name, (run, _, check) in cases.items()}
    print(json.dumps({"ready": list(cases)}), flush=True)
    for name in map(str.strip, sys.stdin):
        run, work, _ = cases[name]
        start = time.process_time()
        run()
        value = work / (time.process_time() - start)
        print(json.dumps({"name": name, "value": value, "unit": "Mpix/s", "check": checks[name]}), flush=True)


if __name__ == "__main__":
    main()
