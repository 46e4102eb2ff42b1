"""make.py KIND FOLDER COUNT SEED: writes COUNT variants of a file kind, selected by SEED. `variants.json` contains what GDAL reads from each variant."""
import importlib
import json
import os
import random
import sys


def main(kind, folder, count, seed):
    module = importlib.import_module(kind)
    every = module.variants()
    names = [v['name'] for v in every]
    if len(set(names)) < len(names):
        raise SystemExit('these names occur twice: ' + ', '.join(sorted({n for n in names if names.count(n) > 1})))
    chosen = sorted(random.Random(int(seed)).sample(range(len(every)), min(int(count), len(every))))
    made = [module.make(every[index], folder, index) for index in chosen]
    with open(os.path.join(folder, 'variants.json'), 'w', encoding='utf-8') as out:
        json.dump({'total': len(every), 'variants': made}, out)


main(*sys.argv[1:])
