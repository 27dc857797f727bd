"""The router of workflows, as the settings have it. Neither its index nor an endpoint is loaded before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.bootstrap.loader import GATEWAY_EMBEDDINGS, WORKFLOW_INDEX, WORKFLOW_ROUTER, load
from tablewright.bootstrap.model_catalogue import KINDS, provider_config
from tablewright.errors import ModelNotSetUp
from tablewright.models.base import ModelCatalogue
from tablewright.models.embeddings import EmbeddingModel
from tablewright.service.later import Later
from tablewright.settings.tree import ProviderSettings, Settings

if TYPE_CHECKING:
    from tablewright.routing.workflows.router import IndexMaker, WorkflowRouter


def workflow_router(settings: Settings, models: ModelCatalogue) -> Later[WorkflowRouter]:
    """Return the router. Raises `ModelNotSetUp` where the provider of the embeddings is not known."""
    chooser = settings.routing.model
    embeddings = _embeddings(settings)
    return Later(
        lambda: load(WORKFLOW_ROUTER)(
            _index_maker,
            embeddings=embeddings,
            chooser=(lambda: models.get(chooser)) if chooser else None,
            limit_s=settings.routing.timeout,
        )
    )


def plain_router() -> Later[WorkflowRouter]:
    """Return a router with neither an endpoint nor a model."""
    return Later(lambda: load(WORKFLOW_ROUTER)(_index_maker))


def _index_maker() -> IndexMaker:
    maker: IndexMaker = load(WORKFLOW_INDEX)
    return maker


def _embeddings(settings: Settings) -> EmbeddingModel | None:
    asked = settings.routing.embeddings
    if not asked:
        return None
    name, _, model = asked.partition(":")
    provider = settings.providers.get(name, ProviderSettings() if name in KINDS else None)
    if provider is None or not model:
        raise ModelNotSetUp("provider_no_embeddings", model=asked)
    made: EmbeddingModel = load(GATEWAY_EMBEDDINGS)(provider_config(name, provider), model)
    return made
