# Everything CI does, by name. `make check` before every push.

UV ?= uv
RUN = $(UV) run --all-extras

.PHONY: check format lint contracts types dead tests test-models test-sound soak bench run

check: format lint contracts types dead tests

format:
	$(RUN) ruff format --check .

lint:
	$(RUN) ruff check .
	$(RUN) deptry .

contracts:
	$(RUN) lint-imports

types:
	$(RUN) pyright

dead:
	$(RUN) vulture

tests:
	$(RUN) pytest -m "not models and not sound"

test-models:
	$(RUN) edgevox models get --set small --yes
	$(RUN) edgevox models get whisper-base smollm2-135m-instruct --yes
	$(RUN) pytest -m models

test-sound:
	$(RUN) pytest -m sound

soak:
	for round in 1 2 3 4 5 6 7 8 9 10; do $(RUN) pytest -q -m "models or sound" || exit 1; done

bench:
	$(RUN) python -m benchmarks

run:
	$(UV) run --no-dev --extra voice edgevox-agent home --yes
