"""The records and listings of a gallery's SQLite file by Django REST framework, for gunicorn: `GALLERY` names the file."""

import os
from datetime import datetime, timedelta, timezone

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["localhost"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["GALLERY"], "CONN_MAX_AGE": None}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["rest_framework"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "PAGE_SIZE": 20,
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF=__name__,
    USE_TZ=True,
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.db import models
from django.urls import include, path
from rest_framework import filters, routers, serializers, viewsets


class Contributor(models.Model):
    username = models.TextField()
    shown_name = models.TextField()
    last_name = models.TextField()

    class Meta:
        app_label = "gallery"
        db_table = "contributor"
        managed = False


class Project(models.Model):
    uuid = models.TextField()
    slug = models.TextField()
    title = models.TextField()
    content_type = models.TextField()
    contributor = models.ForeignKey(Contributor, models.DO_NOTHING, db_column="contributor")
    copied_from = models.IntegerField(null=True)
    visibility = models.TextField()
    status = models.IntegerField()
    tags = models.TextField()
    text = models.TextField()
    rating_count = models.IntegerField()
    rating_sum = models.IntegerField()
    karma = models.IntegerField()
    created = models.BigIntegerField()
    modified = models.BigIntegerField()

    class Meta:
        app_label = "gallery"
        db_table = "project"
        managed = False


class TimeField(serializers.Field):
    def to_representation(self, value):
        time = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=value)
        return time.isoformat(timespec="microseconds")


class ProjectSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()
    html_url = serializers.SerializerMethodField()
    created = TimeField()
    modified = TimeField()
    contributor_name = serializers.CharField(source="contributor.shown_name")
    contributor_html_url = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = [
            "id", "url", "html_url", "created", "modified", "title", "uuid", "slug", "copied_from", "contributor_name",
            "contributor_html_url", "visibility", "tags", "text", "status", "rating_count", "rating_sum", "karma",
        ]

    def absolute(self, address):
        return self.context["request"].build_absolute_uri(address)

    def get_url(self, project):
        return self.absolute(f"/api/v1/projects/{project.id}/?format=api")

    def get_html_url(self, project):
        return self.absolute(f"/content/{project.uuid}/{project.slug}/")

    def get_contributor_html_url(self, project):
        return self.absolute(f"/contributors/{project.contributor.id}-{project.contributor.username}/?format=api")


class ContentViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Project.objects.filter(visibility="public", status=1).select_related("contributor").order_by("id")
    serializer_class = ProjectSerializer
    filter_backends = [filters.OrderingFilter]
    ordering_fields = ["created", "title", "karma", "rating_sum", "id", "contributor__last_name"]


router = routers.SimpleRouter()
router.register("projects", ContentViewSet)
urlpatterns = [path("api/v1/", include(router.urls))]
application = get_wsgi_application()
