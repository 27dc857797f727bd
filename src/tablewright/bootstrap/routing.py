"""The router of workflows, as the settings have it. Neither its index nor an endpoint is loaded before it is needed."""

from __future__ import annotations

from tablewright.bootstrap.loader import GATEWAY_EMBEDDINGS, WORKFLOW_INDEX, load
from tablewright.bootstrap.model_catalogue import KINDS, provider_config
from tablewright.errors import ModelNotSetUp
from tablewright.models.base import ModelCatalogue
from tablewright.models.embeddings import EmbeddingModel
from tablewright.routing.workflows.router import IndexMaker, WorkflowRouter
from tablewright.settings.tree import ProviderSettings, Settings


def workflow_router(settings: Settings, models: ModelCatalogue) -> WorkflowRouter:
    """Return the router. Raises `ModelNotSetUp` where the provider of the embeddings is not known."""
    chooser = settings.routing.model
    return WorkflowRouter(
        _index_maker,
        embeddings=_embeddings(settings),
        chooser=(lambda: models.get(chooser)) if chooser else None,
        limit_s=settings.routing.timeout,
    )


def plain_router() -> WorkflowRouter:
    """Return a router with neither an endpoint nor a model."""
    return WorkflowRouter(_index_maker)


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
