"""
Reads layers with QGIS and prints them as JSON.

The argument is a JSON file with a list of tasks for each kind; the output has a list of results for each kind.
"""

import base64
import json
import sys

from qgis.core import (
    QgsApplication,
    QgsDataSourceUri,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage


def source(parameters):
    """Source of a layer, as the dialogs of QGIS write it."""
    uri = QgsDataSourceUri()
    for name, value in parameters.items():
        uri.setParam(name, value)
    return uri


def plain(value):
    """Value of an attribute; None if it is missing."""
    return None if hasattr(value, "isNull") and value.isNull() else value


def vector(task):
    """Columns, types, extent and all features of a layer of WFS or OGC API Features."""
    layer = QgsVectorLayer(source(task["source"]).uri(False), "layer", task["provider"])
    if not layer.isValid():
        return {"error": layer.error().message()}
    features = [
        {
            "geometry": json.loads(feature.geometry().asJson(17)) if feature.hasGeometry() else None,
            "properties": {field.name(): plain(feature[field.name()]) for field in layer.fields()},
        }
        for feature in layer.getFeatures()
    ]
    extent = layer.dataProvider().extent()
    box = [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()]
    return {
        "count": layer.featureCount(),
        "crs": layer.crs().authid(),
        "box": box,
        "types": {field.name(): field.typeName() for field in layer.fields()},
        "features": features,
    }


def raster_layer(task):
    uri = bytes(source(task["source"]).encodedUri()).decode()
    return QgsRasterLayer(uri, "layer", task["provider"])


def coverage(task):
    """Grid and samples of a coverage."""
    layer = raster_layer(task)
    if not layer.isValid():
        return {"error": layer.error().message()}
    provider, extent = layer.dataProvider(), layer.extent()
    blocks = [provider.block(band, extent, layer.width(), layer.height()) for band in range(1, provider.bandCount() + 1)]
    return {
        "crs": layer.crs().authid(),
        "size": [layer.width(), layer.height()],
        "box": [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()],
        "nodata": str(provider.sourceNoDataValue(1)) if provider.sourceHasNoDataValue(1) else None,
        "bands": [base64.b64encode(bytes(block.data())).decode() for block in blocks],
    }


def picture(task):
    """Pixels that QGIS draws, row by row, as base64 of red, green, blue and alpha."""
    layer = raster_layer(task)
    if not layer.isValid():
        return {"error": layer.error().message()}
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setOutputSize(QSize(*task["size"]))
    settings.setExtent(QgsRectangle(*task["box"]))
    settings.setBackgroundColor(QColor(0, 0, 0, 0))
    # QGIS enlarges the extent to the shape of the picture.
    extent = settings.visibleExtent()
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage().convertToFormat(QImage.Format_RGBA8888)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return {
        "box": [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()],
        "errors": [error.message for error in job.errors()],
        "pixels": base64.b64encode(bytes(bits)).decode(),
    }


QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
with open(sys.argv[1], encoding="utf-8") as file:
    tasks = json.load(file)
READERS = {"vectors": vector, "coverages": coverage, "pictures": picture}
print(json.dumps({kind: [read(task) for task in tasks[kind]] for kind, read in READERS.items()}))
