"""Management command of Django that writes a dump for `headwater import live-system` (docs/move-over.md).

Copy this file to `management/commands/headwater_dump.py` of any installed app of the live system, then run

    python manage.py headwater_dump --source https://live.example.org --output dump.jsonl

The command only reads. It writes password hashes and hashes of API keys, so keep the dump secret. It never writes keys in clear text, nor
credentials of Earth-observation accounts. Models are found by their names; `--model Organization=app_label.ModelName` names another one.
"""

import json
import os
import re
from datetime import datetime, time, timezone
from urllib.parse import quote, urlencode

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import make_aware

MODELS = {
    "Organization": ["Organization"],
    "Project": ["Project"],
    "ProjectRole": ["UserProjectGroup", "UserProjectRole", "ProjectUser"],
    "ApiKey": ["UserAPIKey", "APIKey"],
    "EoAccount": ["GEEAccount"],
    "State": ["StateSOI", "State"],
    "District": ["DistrictSOI", "District"],
    "Tehsil": ["TehsilSOI", "Tehsil"],
    "Dataset": ["Dataset"],
    "Layer": ["Layer"],
}
# Names of two workspaces at the map server, by their names in the datasets.
PUBLISHED_WORKSPACES = {"filtered_mws": "mws", "cropping_drought": "drought"}
TEHSIL_LAYER = "pan_india_asset:SOI_tehsil_pan_india_dataset"
DEFAULT_PERIOD = ("2017-07-01", "2025-06-30")


def iso(value):
    """A time as ISO 8601 in UTC, or None. A date gives its first moment. A time without a zone (USE_TZ is off) is in TIME_ZONE."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        value = datetime.combine(value, time.min)
    if value.tzinfo is None:
        value = make_aware(value)
    return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def first(row, *names, default=None):
    """Value of the first of these attributes that the row has; the default if the value is None or the row has none of them."""
    for name in names:
        if hasattr(row, name):
            value = getattr(row, name)
            return default if value is None else value
    return default


def slug(name):
    """Form of a place's name in names of layers."""
    kept = re.sub(r"[^A-Za-z0-9 ,:;_-]", "", str(name).lower())
    return re.sub(r"\s+", "_", kept.strip())


class Command(BaseCommand):
    help = "Writes accounts, places and layers for `headwater import live-system`."

    def add_arguments(self, parser):
        parser.add_argument("--source", required=True, help="address of this system; the same for all of its dumps")
        parser.add_argument("--output", required=True, help="file to write")
        parser.add_argument("--license", default=None, help="SPDX identifier of the license of the layers")
        parser.add_argument("--provider", action="append", default=[], help="maker of the layers; may be repeated")
        parser.add_argument("--map-server", default=None, help="public address of the map server; default: GEOSERVER_URL")
        parser.add_argument("--model", action="append", default=[], help="NAME=app_label.ModelName")
        parser.add_argument("--without", action="append", default=[], help="type of records to leave out")

    def handle(self, *args, **options):
        self.given = dict(each.split("=", 1) for each in options["model"])
        map_server = options["map_server"] or getattr(settings, "GEOSERVER_URL", "")
        self.map_server = str(map_server).rstrip("/")
        self.count = 0
        # The dump contains secrets, so only the user who runs the command may read it.
        draft = f"{options['output']}.part"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as self.file:
            header = {"format": "headwater-dump", "version": 1, "source": options["source"]}
            header["made_at"] = iso(datetime.now(timezone.utc))
            if options["license"]:
                header["license"] = options["license"]
            if options["provider"]:
                header["providers"] = [{"name": name} for name in options["provider"]]
            self.line(header)
            for kind, write in self.parts():
                if kind not in options["without"]:
                    write()
            self.line({"type": "end", "records": self.count})
        os.replace(draft, options["output"])
        self.stdout.write(f"{self.count} records in {options['output']}")

    def parts(self):
        return [
            ("organization", self.organizations),
            ("group", self.groups),
            ("user", self.users),
            ("project", self.projects),
            ("api_key", self.api_keys),
            ("eo_account", self.eo_accounts),
            ("boundaries", self.boundaries),
            ("dataset", self.datasets),
            ("layer", self.layers),
        ]

    def line(self, value):
        self.file.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")

    def record(self, record_type, /, **members):
        self.line({"type": record_type, **members})
        self.count += 1

    def model(self, name, required=False):
        """The model of this name in any app; None if there is none."""
        if name in self.given:
            return apps.get_model(self.given[name])
        for wanted in MODELS[name]:
            found = [model for model in apps.get_models() if model.__name__ == wanted]
            if len(found) == 1:
                return found[0]
            if len(found) > 1:
                raise CommandError(f"several models are named {wanted}; choose one with --model {name}=app_label.{wanted}")
        if required:
            raise CommandError(f"no model for {name}; name it with --model {name}=app_label.ModelName")
        self.stderr.write(f"no model for {name}; its records are left out (--model {name}=app_label.ModelName)")
        return None

    def rows(self, name):
        model = self.model(name)
        return [] if model is None else model.objects.order_by("pk").iterator()

    def organizations(self):
        for row in self.rows("Organization"):
            self.record("organization", id=str(row.pk), name=str(first(row, "name")))

    def groups(self):
        for row in Group.objects.order_by("pk"):
            self.record("group", id=row.pk, name=row.name)

    def users(self):
        for row in get_user_model().objects.order_by("pk").iterator():
            organization = first(row, "organization_id")
            self.record(
                "user",
                id=row.pk,
                username=row.get_username(),
                password=row.password,
                email=first(row, "email", default=""),
                first_name=first(row, "first_name", default=""),
                last_name=first(row, "last_name", default=""),
                contact_number=text_or_none(first(row, "contact_number")),
                is_active=bool(row.is_active),
                is_superuser=bool(first(row, "is_superuser", default=False)),
                is_superadmin=bool(first(row, "is_superadmin", default=False)),
                organization=text_or_none(organization),
                groups=sorted(row.groups.values_list("pk", flat=True)),
                age=first(row, "age"),
                education_qualification=text_or_none(first(row, "education_qualification")),
                gender=first(row, "gender") or None,
                account_type=first(row, "account_type") or None,
                date_joined=iso(first(row, "date_joined")),
            )

    def projects(self):
        roles = {}
        for row in self.rows("ProjectRole"):
            roles.setdefault(row.project_id, []).append({"user": row.user_id, "group": row.group_id})
        for row in self.rows("Project"):
            organization = text_or_none(first(row, "organization_id"))
            members = [each for each in roles.get(row.pk, []) if None not in each.values()]
            self.record("project", id=row.pk, name=str(first(row, "name")), organization=organization, members=members)

    def api_keys(self):
        for row in self.rows("ApiKey"):
            user = first(row, "user_id")
            if user is None:
                self.stderr.write(f"the API key {row.prefix} has no user and is left out")
                continue
            self.record(
                "api_key",
                prefix=row.prefix,
                hashed_key=row.hashed_key,
                user=user,
                name=str(first(row, "name", default="")),
                created=iso(first(row, "created", "created_at")),
                expires_at=iso(first(row, "expires_at", "expiry_date")),
                is_active=bool(first(row, "is_active", default=True)),
                revoked=bool(first(row, "revoked", default=False)),
            )

    def eo_accounts(self):
        for row in self.rows("EoAccount"):
            self.record(
                "eo_account",
                id=row.pk,
                name=str(first(row, "name", default="")),
                service_account_email=text_or_none(first(row, "service_account_email")),
                account_email=text_or_none(first(row, "account_email")),
                is_visible=bool(first(row, "is_visible", default=True)),
                helper_account=first(row, "helper_account_id"),
            )

    def tehsils(self):
        """Active tehsils with the names of the units above them."""
        if not hasattr(self, "known_tehsils"):
            self.known_tehsils = []
            for row in self.rows("Tehsil"):
                if bool(first(row, "active_status", default=False)):
                    self.known_tehsils.append((row, names_of(row)))
        return self.known_tehsils

    def boundaries(self):
        for row, place in self.tehsils():
            where = f"STATE='{quoted(place['state'])}' AND District='{quoted(place['district'])}' AND TEHSIL='{quoted(place['tehsil'])}'"
            self.boundary("places", row, place, self.feature_url(TEHSIL_LAYER, where))
        for row, place in self.tehsils():
            self.record("tehsil", id=row.pk, is_active=True, **place)
        for row, place in self.tehsils():
            name = f"{slug(place['district'])}_{slug(place['tehsil'])}"
            self.boundary("mws", row, place, self.feature_url(f"mws:mws_{name}"))
            self.boundary("villages", row, place, self.feature_url(f"panchayat_boundaries:{name}"))

    def boundary(self, kind, row, place, url):
        self.record("boundaries", id=f"{kind} {row.pk}", kind=kind, place=place, file={"url": url})

    def feature_url(self, layer, where=None):
        query = {
            "service": "WFS",
            "version": "1.0.0",
            "request": "GetFeature",
            "typeName": layer,
            "outputFormat": "application/json",
        }
        if where:
            query["CQL_FILTER"] = where
        return f"{self.map_server}/{quote(layer.split(':')[0])}/ows?{urlencode(query)}"

    def raster_url(self, workspace, name):
        query = {
            "service": "WCS",
            "version": "2.0.1",
            "request": "GetCoverage",
            "CoverageId": f"{workspace}:{name}",
            "format": "geotiff",
            "compression": "LZW",
        }
        return f"{self.map_server}/{quote(workspace)}/wcs?{urlencode(query)}"

    def datasets(self):
        for row in self.rows("Dataset"):
            kind = str(first(row, "layer_type", default=""))
            if kind in ("vector", "raster", "point") and first(row, "workspace"):
                workspace = PUBLISHED_WORKSPACES.get(row.workspace, row.workspace)
                style = str(first(row, "style_name", default=""))
                self.record("dataset", id=row.name, name=row.name, layer_type=kind, workspace=workspace, style_name=style)

    def layers(self):
        active = {row.pk: place for row, place in self.tehsils()}
        newest = {}
        for row in self.rows("Layer"):
            key = (row.dataset_id, str(row.layer_name).lower(), first(row, "block_id", "tehsil_id"))
            if key not in newest or version_of(newest[key]) <= version_of(row):
                newest[key] = row
        for row in newest.values():
            dataset = row.dataset
            kind = str(first(dataset, "layer_type", default=""))
            place = active.get(first(row, "block_id", "tehsil_id"))
            if place is None or kind not in ("vector", "raster", "point") or not dataset.workspace:
                continue
            if not first(row, "is_sync_to_geoserver", default=True):
                continue
            workspace = PUBLISHED_WORKSPACES.get(dataset.workspace, dataset.workspace)
            url = (
                self.raster_url(workspace, row.layer_name)
                if kind == "raster"
                else self.feature_url(f"{workspace}:{row.layer_name}")
            )
            start, end = period_of(first(row, "misc"))
            self.record(
                "layer",
                id=f"{workspace}:{row.layer_name}:{first(row, 'block_id', 'tehsil_id')}",
                layer_name=row.layer_name,
                workspace=workspace,
                dataset=dataset.name,
                title=dataset.name,
                description=f"{dataset.name}, moved from the live system ({row.layer_name}).",
                start=start,
                end=end,
                version=f"{first(row, 'layer_version', default='')} {iso(first(row, 'updated_at')) or ''}".strip(),
                file={"url": url},
                **place,
            )


def text_or_none(value):
    """A text, or None for a missing or empty value."""
    return None if value is None or str(value) == "" else str(value)


def quoted(text):
    """A text with its single quotes escaped, for a quoted text in CQL."""
    return str(text).replace("'", "''")


def names_of(tehsil):
    """The names of a tehsil and of the units above it."""
    district = tehsil.district
    return {
        "state": str(first(district.state, "state_name", "name")),
        "district": str(first(district, "district_name", "name")),
        "tehsil": str(first(tehsil, "tehsil_name", "block_name", "name")),
    }


def version_of(layer):
    """Version of a layer as a number, for comparisons."""
    try:
        return float(first(layer, "layer_version", default=0))
    except ValueError:
        return 0.0


def period_of(misc):
    """First and last day of a layer: the dates or else the hydrological years of the record, or else DEFAULT_PERIOD."""
    facts = misc if isinstance(misc, dict) else {}
    dates = [str(facts.get(name) or "")[:10] for name in ("start_date", "end_date")]
    if all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) for day in dates):
        return dates
    years = [str(facts.get(name) or "") for name in ("start_year", "end_year")]
    if all(re.fullmatch(r"\d{4}", year) for year in years):
        return [f"{years[0]}-07-01", f"{int(years[1]) + 1}-06-30"]
    return list(DEFAULT_PERIOD)
