# Everything CI does, by name. `make check` before every push.

UV ?= $(if $(wildcard .venv/bin/uv),.venv/bin/uv,uv)
RUN = $(UV) run --all-extras

.PHONY: check static format lint contracts types dead tests models test-slow test-real soak bench run

check: static tests

static: format lint contracts types dead

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
	$(RUN) pytest

# The models that `test-real` needs, into the person's own model folder.
models:
	$(RUN) edgevox models get tiny small whisper-base smollm2-135m-instruct --yes

test-slow:
	$(RUN) pytest -m slow

test-real:
	$(RUN) pytest -n 0 -m "models or sound" --timeout 600 --reruns 1

soak:
	EDGEVOX_EXAMPLES=new $(RUN) pytest -m "slow or not (models or sound)"
	for round in 1 2 3 4 5 6 7 8 9 10; do $(MAKE) test-real || exit 1; done

bench:
	$(RUN) python -m benchmarks

run:
	$(UV) run --no-dev --extra voice edgevox-agent home --yes
