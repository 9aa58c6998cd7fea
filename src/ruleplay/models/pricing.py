"""What a model call costs in US dollars, looked up offline."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from ruleplay.settings import Price
from ruleplay.system.loopback import is_loopback_url

FREE = Decimal(0)
# LangChain's provider names → those of genai-prices, where they differ.
LISTED_AS = {
    "azure_openai": "azure",
    "bedrock": "aws",
    "bedrock_converse": "aws",
    "google_genai": "google",
    "google_vertexai": "google",
    "mistralai": "mistral",
    "xai": "x-ai",
}


def price(
    model_name: str,
    input_tokens: int,
    output_tokens: int,
    overrides: Mapping[str, Price] | None = None,
) -> Decimal | None:
    """Return the cost of a call in US dollars, or None if the model's price is unknown.

    The owner's `overrides` come first, local models are free, and the rest is looked up in the data
    of the package genai-prices. Discounts for cached input are ignored, so that a spending cap is
    reached too early rather than too late.
    """
    if overrides and model_name in overrides:
        return overrides[model_name].of(input_tokens, output_tokens)
    if is_local(model_name):
        return FREE
    provider, colon, model = model_name.partition(":")
    if not colon or "://" in model_name:
        return None
    return _listed(provider.replace("-", "_"), model, input_tokens, output_tokens)


def is_local(model_name: str) -> bool:
    """Whether a model runs on this machine and so costs nothing."""
    kind, _, rest = model_name.partition(":")
    if kind in ("rules", "embedded", "ollama"):
        return True
    return is_loopback_url(model_name if kind in ("http", "https") else rest)


def _listed(provider: str, model: str, input_tokens: int, output_tokens: int) -> Decimal | None:
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        found = calc_price(usage, model, provider_id=LISTED_AS.get(provider, provider))
    except LookupError:
        return None
    return found.total_price
