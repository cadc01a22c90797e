"""Every setting once: its name, its default and what it is for.

A value comes from, in this order: the command's `--set name=value`, the environment
(`TIPSTAFF_NAME`), the configuration file, the default. `docs/settings.md` lists them all
and a test compares it with this page.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tipstaff.errors import UsageError

KIB = 1024
MIB = 1024 * KIB


def _setting(default: Any, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its default; `docs/settings.md` lists them."""

    max_items: int = _setting(1_000, "Context items that a bundle may have.")
    max_file_bytes: int = _setting(100 * MIB, "Size of one file; a larger one is not read.")
    max_unpacked_bytes: int = _setting(500 * MIB, "Size of an archive when unpacked.")
    max_compression_ratio: int = _setting(
        100, "How many times its packed size an archive's member over 1 MiB may unpack to."
    )
    max_archive_entries: int = _setting(10_000, "Files and folders that an archive may list.")
    max_manifest_bytes: int = _setting(10 * MIB, "Size of manifest.json and of front matter.")
    max_nesting: int = _setting(100, "Depth of nested JSON and YAML.")
    parse_timeout_s: int = _setting(120, "Seconds that reading one file may take.")
    parse_memory_bytes: int = _setting(
        4096 * MIB, "Memory that a worker process may use to read files."
    )
    parse_workers: int = _setting(2, "Worker processes that read files at the same time.")
    parse_cache_bytes: int = _setting(2048 * MIB, "Size of the cache of parsed files.")
    max_archive_depth: int = _setting(3, "How deeply archives inside archives are opened.")
    ocr_engine: str = _setting("tesseract", "The plug-in that reads images and scanned pages.")
    ocr_languages: str = _setting("eng", "Languages of OCR, as its engine names them: eng+deu.")
    max_pictures: int = _setting(
        100, "Pictures inside one document (or video) that are read by OCR."
    )
    min_picture_pixels: int = _setting(
        5_000, "Pictures inside documents with fewer pixels are decoration and not read."
    )
    transcriber: str = _setting("whisper", "The plug-in that turns speech into text.")
    chunk_tokens: int = _setting(192, "Tokens of a chunk, from 128 to 2048 (TIP §10.1.1).")
    chunk_overlap_percent: int = _setting(
        15, "How much of a chunk is repeated from the one before it, from 0 to 50 percent."
    )
    embedder: str = _setting(
        "minilm", "What turns text into vectors: minilm, static, or a plug-in (docs/retrieval.md)."
    )
    store: str = _setting("embedded", "Where indexes are kept: embedded, postgres, faiss, …")
    database_url: str = _setting(
        "none", "Address of the store's database or service, where it has one: postgresql://…"
    )
    vector_cache_bytes: int = _setting(1024 * MIB, "Size of the cache of computed vectors.")
    embed_threads: int = _setting(2, "Threads that turn text into vectors.")
    top_k: int = _setting(10, "Passages that a search returns (TIP §10.1.5).")
    fusion: str = _setting("weighted", "How the two rankings are joined: weighted or rrf.")
    vector_weight_percent: int = _setting(
        50, "Share of the vector ranking in the joined score; the rest is the keywords'."
    )
    reader: str = _setting(
        "minilm", "What reads passages for the answer: minilm, a plug-in, or none."
    )
    reranker: str = _setting("none", "A plug-in that ranks the found passages again, or none.")
    diversity_percent: int = _setting(
        0, "How much a passage loses for resembling one above it; 0 ranks by relevance alone."
    )
    neighbours: int = _setting(0, "Passages before and after a found one that come along.")
    transparency: str = _setting(
        "all", "Fields of retrieval metadata that are shown: all, none, or names with commas."
    )
    model: str = _setting(
        "extractive", "What words the answers: extractive, or a language model (docs/models.md)."
    )
    fallback_model: str = _setting(
        "none", "The model that is used, and said to be, when the first is unavailable (TIP §14.2)."
    )
    support_checker: str = _setting(
        "entailment, arrangement, reader",
        "Second opinions on a model's statements: entailment, arrangement, reader, judge:MODEL, "
        "plug-ins; none.",
    )
    other_words: str = _setting(
        "entailment",
        "What may say that a model's other words mean the same: entailment, or none.",
    )
    timeout_s: int = _setting(60, "Seconds that a model may take for an answer (TIP §14.5).")
    max_response_tokens: int = _setting(
        2_000, "Tokens of a response, from 64 to 100000 (TIP §13.3.2)."
    )
    max_quoted_words: int = _setting(
        400, "Words of one item that a response may repeat, from 20 (TIP §13.3.2)."
    )
    max_item_percent: int = _setting(
        50, "Share of an item's words that a recipient's session may be shown (TIP §13.3.2)."
    )
    max_place_queries: int = _setting(
        8, "Of a recipient's last 20 queries, how many may ask for a page as such (TIP §13.3.1)."
    )
    repair_rounds: int = _setting(
        1, "Whether a model is asked once more (1) for what could not be verified, or not (0)."
    )
    audit_days: int = _setting(90, "Days that records of retrieval are kept (Enterprise §4.5).")
    watermark: str = _setting(
        "tez", "Which answers and pages are marked: of each tez that asks for it, all, or none."
    )
    accept_shares: str = _setting(
        "always", "Whether tenants take what others share with them always, or are asked (ask)."
    )
    key_file: str = _setting(
        "none", "File of the key that signs for the server; none is server.key in its data folder."
    )
    inline_item_bytes: int = _setting(
        64 * KIB, "Largest item that an inline export embeds; a larger one becomes a reference."
    )
    inline_total_bytes: int = _setting(
        128 * KIB, "What an inline export embeds in all; what no longer fits becomes a reference."
    )
    session_timeout_minutes: int = _setting(
        60, "Minutes without a query after which a session is suspended (TIP §8.1.5)."
    )
    resume_hours: int = _setting(
        24, "Hours after its last query within which a session can be resumed (TIP §8.4)."
    )
    session_days: int = _setting(
        30, "Days that the history of a closed or expired session is kept for its recipient."
    )
    history_exchanges: int = _setting(
        200, "Exchanges of a session that a follow-up may lean on (TIP §8.1.4)."
    )
    max_query_tokens: int = _setting(2_000, "Tokens that a query may have (TIP §8.1.2).")
    concurrent_queries: int = _setting(16, "Queries that a server answers at the same time.")
    waiting_queries: int = _setting(
        256, "Queries that may wait for their turn (or be degraded) before one is refused."
    )
    waiting_seconds: int = _setting(60, "Seconds that a query may wait for its turn.")
    session_queries: int = _setting(
        4, "Queries of one session that may be under way: one is answered, the others wait."
    )
    backpressure: str = _setting(
        "queue", "What happens to queries beyond capacity: queue, reject, degrade (docs/serve.md)."
    )
    disconnect_grace_s: int = _setting(
        10, "Seconds without a reader after which a running query is cancelled."
    )
    heartbeat_s: int = _setting(15, "Seconds after which a silent stream shows that it lives.")
    idle_timeout_s: int = _setting(
        300, "Seconds without an event after which a stream is closed (Enterprise §10.3)."
    )
    sessions_in_memory: int = _setting(
        200, "Sessions that are held ready; others are rebuilt from their history."
    )
    records_url: str = _setting(
        "none", "Database of the service: postgresql://…; none is a file in the data folder."
    )
    records_owner_url: str = _setting(
        "none", "The same database as the role that owns its tables, for `tip migrate` alone."
    )
    records_connections: int = _setting(
        10, "Connections to PostgreSQL that a server keeps for its records (Enterprise §7.2)."
    )
    records_connections_more: int = _setting(
        10, "Connections that it may open beyond them for a while."
    )
    records_wait_s: int = _setting(30, "Seconds that a request may wait for a connection.")
    store_connections: int = _setting(8, "Connections that the store 'postgres' keeps.")
    max_tez_bytes: int = _setting(500 * MIB, "Size of a tez that is published to a server.")
    index_jobs: str = _setting(
        "take",
        "With records in PostgreSQL: take jobs that build indexes, or leave them to others.",
    )
    open_tezits: int = _setting(
        16, "Published tezits that a server keeps open for queries to come."
    )
    queries_per_recipient: int = _setting(
        500, "Queries of a recipient to a tez that sets no limit; 0 is any number (TIP §13.3.1)."
    )
    tokens_per_recipient: int = _setting(
        0, "Tokens of a recipient with a tez that sets no limit; 0 is any number (TIP §12.1.3)."
    )
    tokens_per_query: int = _setting(
        4_000, "Tokens of a query and its answer, where the tez sets no limit (TIP §12.1.3)."
    )
    rate_per_session: int = _setting(
        10, "Queries a minute in one session; 0 is any number, here and below (Enterprise §6.4)."
    )
    rate_per_recipient: int = _setting(
        10, "Queries a minute of a recipient to a tez that sets no limit (TIP §12.1.3)."
    )
    rate_per_user: int = _setting(60, "Queries a minute of one user to all tezits.")
    rate_per_tez: int = _setting(600, "Queries a minute of all users to one tez.")
    rate_per_tenant: int = _setting(1_200, "Queries a minute of all users of a tenant.")
    rate_global: int = _setting(6_000, "Queries a minute of everybody.")
    rate_algorithm: str = _setting(
        "sliding_window",
        "How rates are counted: sliding_window (exactly) or token_bucket (Enterprise §7.7).",
    )
    valkey_url: str = _setting(
        "none",
        "Valkey or Redis that several instances share: valkey://…, redis://…, rediss://…, unix://….",
    )
    valkey_prefix: str = _setting("tip", "What keys and channels in Valkey begin with.")
    valkey_lost: str = _setting(
        "refuse",
        "While Valkey is out of reach: refuse queries, or degrade to limits of each instance.",
    )
    lease_s: int = _setting(
        15, "Seconds after which the queries of a silent instance are ended by another, from 3."
    )
    query_logging: str = _setting(
        "none",
        "Whether queries may be logged: none, or opt_in by sender and recipient (TIP §13.1).",
    )
    query_log_days: int = _setting(30, "Days that logged queries are kept, at the most.")
    region: str = _setting("none", "Where this server works, for tezits that ask (TIP §13.5).")
    model_region: str = _setting("none", "Where the language model works, if not in this server.")
    storage_region: str = _setting("none", "Where records and indexes lie, if not on this server.")
    cost_model: str = _setting(
        "sender_funded",
        "Who pays: free_tier, pay_per_query, subscription or sender_funded (TIP §12.3.3).",
    )
    jwt_jwks: str = _setting(
        "none", "Keys of those who issue JWTs: an https address or a file; none takes no JWT."
    )
    jwt_issuer: str = _setting("none", "The issuer that a JWT must name.")
    jwt_audience: str = _setting("none", "The audience that a JWT must be for.")
    jwt_algorithms: str = _setting(
        "RS256,ES256,EdDSA", "Signatures of JWTs that are taken, with commas; only of public keys."
    )
    jwt_leeway_s: int = _setting(60, "Seconds that clocks may differ, from 0 to 300.")
    jwt_tenant_claim: str = _setting("tenant", "The claim of a JWT that names its tenant.")
    jwt_user_claim: str = _setting("sub", "The claim of a JWT that names its user.")
    jwt_scope_claim: str = _setting(
        "scope", "The claim of a JWT that lists what it is for: tip:interrogate, tip:publish, …"
    )
    jwt_tezits_claim: str = _setting(
        "tezits", "The claim of a JWT that lists the tezits it is for; without it, none."
    )
    access_timeout_s: int = _setting(
        5, "Seconds that authorizers have to decide who sees what; late is no (docs/access.md)."
    )
    access_cache_s: int = _setting(
        300, "Seconds that decisions of authorizers are kept, from 0 to 300 (Enterprise §3.7)."
    )
    fga_url: str = _setting("none", "Address of the OpenFGA server for items of access fga.")
    fga_store: str = _setting(
        "none", "Id of the OpenFGA store; or TENANT=ID with commas, for those tenants alone."
    )
    fga_model: str = _setting(
        "none", "Id of the authorization model, or TENANT=ID with commas; none is the latest."
    )
    opa_url: str = _setting("none", "Address of the OPA server for items of access opa.")
    opa_policies: str = _setting(
        "none", "Folder of Rego policies that are evaluated in this process, instead of opa_url."
    )
    opa_root: str = _setting("tez", "The path below which senders may name policies of OPA.")
    cedar_policies: str = _setting(
        "none", "Folder of Cedar policies and entities for items of access cedar."
    )
    custom_providers: str = _setting(
        "none", "Installed access providers that are used for items of access custom, with commas."
    )

    def key_path(self, data_folder: Path) -> Path:
        """Where the key that signs for a server lies."""
        return data_folder / "server.key" if self.key_file == "none" else Path(self.key_file)


DEFAULTS = Settings()


def load_settings(
    overrides: Mapping[str, str] | None = None, *, environment: Mapping[str, str] = os.environ
) -> Settings:
    """Settings in force: overrides over environment over file over defaults."""
    values: dict[str, Any] = {}
    values |= _from_file(environment)
    for known in fields(Settings):
        variable = f"TIPSTAFF_{known.name.upper()}"
        if variable in environment:
            values[known.name] = _typed(known.name, environment[variable], variable)
    for name, text in (overrides or {}).items():
        values[name] = _typed(name, text, f"--set {name}")
    return Settings(**values)


def cache_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where what can be made again is kept: `TIPSTAFF_DATA_DIR/cache`, or the platform's place."""
    if named := environment.get("TIPSTAFF_DATA_DIR"):
        return Path(named) / "cache"
    import platformdirs

    return platformdirs.user_cache_path("tipstaff", appauthor=False)


def data_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where indexes, sessions and records are: `TIPSTAFF_DATA_DIR`, or the platform's place."""
    if named := environment.get("TIPSTAFF_DATA_DIR"):
        return Path(named)
    import platformdirs

    return platformdirs.user_data_path("tipstaff", appauthor=False)


def configuration_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the configuration file is looked for."""
    if named := environment.get("TIPSTAFF_CONFIG"):
        return Path(named)
    import platformdirs

    return platformdirs.user_config_path("tipstaff", appauthor=False) / "tipstaff.toml"


def _from_file(environment: Mapping[str, str]) -> dict[str, Any]:
    path = configuration_file(environment)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if "TIPSTAFF_CONFIG" in environment:
            raise UsageError(f"There is no configuration file {path}.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UsageError(f"The configuration file {path} cannot be read: {problem}.") from None
    return {name: _typed(name, str(value), str(path)) for name, value in content.items()}


# Settings that may lie only between two bounds; all others are whole numbers above zero.
_BOUNDS = {
    "chunk_tokens": (128, 2048),
    "chunk_overlap_percent": (0, 50),
    "vector_weight_percent": (0, 100),
    "diversity_percent": (0, 100),
    "neighbours": (0, 5),
    "top_k": (1, 1000),
    "repair_rounds": (0, 1),
    "max_response_tokens": (64, 100_000),
    "max_quoted_words": (20, 100_000),
    "max_item_percent": (1, 100),
    "max_place_queries": (1, 20),
    "queries_per_recipient": (0, 10**9),
    "tokens_per_recipient": (0, 10**12),
    "tokens_per_query": (64, 10**9),
    "rate_per_session": (0, 10**6),
    "rate_per_recipient": (0, 10**6),
    "rate_per_user": (0, 10**6),
    "rate_per_tez": (0, 10**6),
    "rate_per_tenant": (0, 10**6),
    "rate_global": (0, 10**9),
    "lease_s": (3, 600),
    "query_log_days": (1, 3650),
    "jwt_leeway_s": (0, 300),
    # Enterprise §3.7: no longer than five minutes.
    "access_cache_s": (0, 300),
    "access_timeout_s": (1, 60),
    "records_connections": (1, 1_000),
    "records_connections_more": (0, 1_000),
    "records_wait_s": (1, 300),
    "store_connections": (1, 1_000),
}
# Settings that are one of a few words.
_WORDS = {
    "other_words": ("entailment", "none"),
    "query_logging": ("none", "opt_in"),
    "index_jobs": ("take", "leave"),
    "rate_algorithm": ("sliding_window", "token_bucket"),
    "valkey_lost": ("refuse", "degrade"),
    "watermark": ("tez", "all", "none"),
    "accept_shares": ("always", "ask"),
    "cost_model": ("free_tier", "pay_per_query", "subscription", "sender_funded"),
}


def _typed(name: str, text: str, origin: str) -> int | str:
    """Settings are whole numbers or words, as their defaults are."""
    if name not in {known.name for known in fields(Settings)}:
        raise UsageError(
            f"{origin}: there is no setting '{name}'.",
            suggestion="docs/settings.md lists every setting.",
        )
    if isinstance(getattr(DEFAULTS, name), str):
        if not text.strip():
            raise UsageError(f"{origin}: a word is missing.")
        if text.strip() not in _WORDS.get(name, (text.strip(),)):
            raise UsageError(f"{origin}: '{text}' is none of {', '.join(_WORDS[name])}.")
        return text.strip()
    lowest, highest = _BOUNDS.get(name, (1, 2**62))
    try:
        value = int(text.replace("_", ""))
    except ValueError:
        value = -1
    if not lowest <= value <= highest:
        allowed = f"from {lowest} to {highest}" if name in _BOUNDS else "above zero"
        raise UsageError(f"{origin}: '{text}' is not a whole number {allowed}.")
    return value
