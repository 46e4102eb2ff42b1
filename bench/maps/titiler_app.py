"""The peer of raster tiles: an application with the routes of TiTiler, copied from the manual of TiTiler."""

from fastapi import FastAPI
from titiler.core.errors import DEFAULT_STATUS_CODES, add_exception_handlers
from titiler.core.factory import TilerFactory

app = FastAPI()
app.include_router(TilerFactory().router)
add_exception_handlers(app, DEFAULT_STATUS_CODES)
