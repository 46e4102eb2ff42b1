"""Models with the names and fields of the live system, as far as a dump contains them."""

import uuid

from django.contrib.auth.models import AbstractUser, Group
from django.db import models
from rest_framework_api_key.models import AbstractAPIKey


class Organization(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=255)


class User(AbstractUser):
    contact_number = models.CharField(max_length=20, null=True)
    organization = models.ForeignKey(Organization, null=True, on_delete=models.SET_NULL)
    is_superadmin = models.BooleanField(default=False)
    age = models.IntegerField(null=True)
    education_qualification = models.CharField(max_length=255, null=True)
    gender = models.CharField(max_length=10, null=True)
    account_type = models.CharField(max_length=20, null=True)


class Project(models.Model):
    name = models.CharField(max_length=255)
    organization = models.ForeignKey(Organization, null=True, on_delete=models.CASCADE)


class UserProjectGroup(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    project = models.ForeignKey(Project, on_delete=models.CASCADE)
    group = models.ForeignKey(Group, on_delete=models.CASCADE)


class UserAPIKey(AbstractAPIKey):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    is_active = models.BooleanField(default=True)
    expires_at = models.DateTimeField(null=True)


class GEEAccount(models.Model):
    name = models.CharField(max_length=255)
    service_account_email = models.EmailField()
    account_email = models.EmailField(null=True)
    is_visible = models.BooleanField(default=True)
    helper_account = models.ForeignKey("self", null=True, on_delete=models.SET_NULL)
    credentials_encrypted = models.BinaryField(null=True)


class StateSOI(models.Model):
    state_name = models.CharField(max_length=255)
    active_status = models.BooleanField(default=False)


class DistrictSOI(models.Model):
    district_name = models.CharField(max_length=255)
    active_status = models.BooleanField(default=False)
    state = models.ForeignKey(StateSOI, on_delete=models.CASCADE)


class TehsilSOI(models.Model):
    tehsil_name = models.CharField(max_length=255)
    active_status = models.BooleanField(default=False)
    district = models.ForeignKey(DistrictSOI, on_delete=models.CASCADE)


class Dataset(models.Model):
    name = models.CharField(max_length=511)
    layer_type = models.CharField(max_length=50)
    workspace = models.CharField(max_length=255)
    style_name = models.CharField(max_length=255, blank=True)


class Layer(models.Model):
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE)
    layer_name = models.CharField(max_length=511)
    layer_version = models.CharField(max_length=255, default="1.0")
    state = models.ForeignKey(StateSOI, on_delete=models.CASCADE)
    district = models.ForeignKey(DistrictSOI, on_delete=models.CASCADE)
    block = models.ForeignKey(TehsilSOI, on_delete=models.CASCADE)
    misc = models.JSONField(null=True)
    is_sync_to_geoserver = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)
