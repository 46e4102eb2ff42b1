"""Builds and serialises the bench's raster Item with pystac. This script has the protocol of the other peers: `--serve`, one round per line.

The first argument is a file with the Item that our code serialised. This Item is the source of pystac's input, and pystac's result must equal this Item.
"""

import json
import sys
import time
from datetime import datetime

import pystac
from pystac.extensions.classification import Classification, ClassificationExtension
from pystac.extensions.file import FileExtension
from pystac.extensions.projection import ProjectionExtension
from pystac.validation import validate_dict

# name of the round -> (number of Items, True if each is validated; compiled schemas are cached)
ROUNDS = {"stac_write_pystac": (20, True), "stac_write_pystac_unchecked": (400, False)}


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def build(given):
    properties = dict(given["properties"])
    start, end, made = (instant(properties.pop(key)) for key in ("start_datetime", "end_datetime", "datetime"))
    code, shape, transform = (properties.pop(f"proj:{key}") for key in ("code", "shape", "transform"))
    item = pystac.Item(
        id=given["id"],
        geometry=given["geometry"],
        bbox=given["bbox"],
        datetime=made,
        start_datetime=start,
        end_datetime=end,
        properties=properties,
        collection=given["collection"],
    )
    projection = ProjectionExtension.ext(item, add_if_missing=True)
    projection.apply(code=code, shape=shape, transform=transform)
    for key, asset in given["assets"].items():
        extra = {name: value for name, value in asset.items() if name not in KNOWN}
        made_asset = pystac.Asset(asset["href"], asset["title"], media_type=asset["type"], roles=asset["roles"], extra_fields=extra)
        item.add_asset(key, made_asset)
        if "classification:classes" in asset:
            classes = [Classification(dict(each)) for each in asset["classification:classes"]]
            ClassificationExtension.ext(made_asset, add_if_missing=True).apply(classes=classes)
        if "file:size" in asset:
            FileExtension.ext(made_asset, add_if_missing=True).apply(size=asset["file:size"], checksum=asset["file:checksum"])
    for each in given["links"]:
        item.add_link(pystac.Link(each["rel"], each["href"], media_type=each["type"], title=each["title"]))
    return item.to_dict(include_self_link=True, transform_hrefs=False)


KNOWN = {"href", "title", "type", "roles", "classification:classes", "file:size", "file:checksum"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    validate_dict(json.loads(json.dumps(build(given))))
    print(json.dumps({"ready": list(ROUNDS)}), flush=True)
    for line in sys.stdin:
        name = line.strip()
        count, is_checked = ROUNDS[name]
        begin = time.perf_counter()
        for _ in range(count):
            item = build(given)
            if is_checked:
                validate_dict(item)
            text = json.dumps(item)
        value = count / (time.perf_counter() - begin)
        result = json.loads(text)
        equal = all(result[key] == given[key] for key in ("id", "geometry", "bbox", "assets", "collection"))
        print(json.dumps({"name": name, "value": value, "unit": "Items/s", "check": int(equal)}), flush=True)


main()
