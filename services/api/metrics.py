"""Figures for a monitoring system: requests by route, and how far the projections are behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fastapi import FastAPI, Response
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from prometheus_fastapi_instrumentator import Instrumentator

from services.api.figures import CountRequests, Figures
from services.errors import DatabaseBusy, DatabaseUnreachable
from services.projecting import Progress

TEXT = {"text/plain": {"schema": {"type": "string"}}}


class ProjectionLag(Collector):
    """Asks how far each projection is when the figures are asked for."""

    def __init__(self, status: Callable[[], tuple[Progress, ...]]) -> None:
        self._status = status

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """One gauge per projection; none while the database is away."""
        behind = GaugeMetricFamily(
            "studledger_projection_behind_events",
            "Events a projection has not taken in yet.",
            labels=["projection"],
        )
        try:
            for progress in self._status():
                behind.add_metric([progress.name], progress.behind)
        except (DatabaseUnreachable, DatabaseBusy):
            return ()
        return (behind,)

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing is asked when the collector is registered: the room is not open then."""
        return ()


def add_metrics(app: FastAPI, status: Callable[[], tuple[Progress, ...]]) -> None:
    """Count the requests of an app and give it the route `/metrics`."""
    registry = CollectorRegistry()
    registry.register(ProjectionLag(status))
    app.add_middleware(CountRequests, figures=Figures(registry))
    responses = {200: {"description": "Prometheus' text form", "content": TEXT}}
    Instrumentator(registry=registry).expose(
        app,
        tags=["service"],
        summary="Figures for Prometheus",
        response_class=Response,
        responses=responses,
    )
