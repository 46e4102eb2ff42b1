"""Creates the tables of the live system and fills them; prints the API keys as JSON."""

import json
import os
from datetime import datetime, timezone

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.contrib.auth.models import Group
from django.core.management import call_command
from live import models

call_command("migrate", run_syncdb=True, verbosity=0)

trust = models.Organization.objects.create(id="0190a000-0000-4000-8000-00000000000a", name="Sample Trust")
admins, managers = [Group.objects.create(name=name) for name in ("Organization Admin", "Project Manager")]
asha = models.User.objects.create_user(
    "asha", "asha@example.org", "asha's old password", id=17, first_name="Asha", organization=trust, age=41, account_type="org"
)
asha.groups.add(admins)
binod = models.User.objects.create_user("binod", "", None, id=18, is_active=False)
models.User.objects.create_superuser("test_user_4711", "", "test_change_me", id=19)
wells = models.Project.objects.create(name="Wells", organization=trust)
models.UserProjectGroup.objects.create(user=asha, project=wells, group=managers)

expires = datetime(2034, 3, 1, tzinfo=timezone.utc)
_, key = models.UserAPIKey.objects.create_key(name="field", user=asha, expires_at=expires)
_, revoked = models.UserAPIKey.objects.create_key(name="old", user=asha, revoked=True)

helper = models.GEEAccount.objects.create(name="helper", service_account_email="h@p.iam.gserviceaccount.com")
models.GEEAccount.objects.create(
    name="main",
    service_account_email="m@p.iam.gserviceaccount.com",
    helper_account=helper,
    credentials_encrypted=b"secret of the account",
)

state = models.StateSOI.objects.create(state_name="Assam", active_status=True)
district = models.DistrictSOI.objects.create(district_name="Cachar", active_status=True, state=state)
place = {"state": state, "district": district}
place["block"] = models.TehsilSOI.objects.create(id=5644, tehsil_name="Lakhipur", active_status=True, district=district)
models.TehsilSOI.objects.create(id=5645, tehsil_name="Katigora", district=district)
drainage = models.Dataset.objects.create(name="Drainage", layer_type="vector", workspace="drainage")
terrain = models.Dataset.objects.create(name="Terrain Raster", layer_type="raster", workspace="terrain")
years = {"start_year": 2017, "end_year": 2022}
layer = {**place, "is_sync_to_geoserver": True, "misc": years}
models.Layer.objects.create(dataset=drainage, layer_name="cachar_lakhipur", **layer)
models.Layer.objects.create(dataset=drainage, layer_name="cachar_lakhipur", **{**layer, "layer_version": "2.0"})
models.Layer.objects.create(dataset=terrain, layer_name="cachar_lakhipur_terrain_raster", **layer)
models.Layer.objects.create(dataset=drainage, layer_name="not_published", **{**layer, "is_sync_to_geoserver": False})

print(json.dumps({"key": key, "revoked": revoked}))
