# `make` builds build/assay; `make help` lists the rest.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# SETUP=no: the packages were installed by hand.
SETUP ?= yes

# The first clang of the two; the presets name the first.
CLANG = $(firstword $(shell command -v clang++-14 clang++))

# One stamp per version of tools/setup: a new package list runs it again.
STAMP := build/.setup-$(shell cksum < tools/setup | cut -d' ' -f1)

.PHONY: all setup demo demo-real test test-real test-all bench check fuzz install asan clean help
.DEFAULT_GOAL := all
# One step at a time: ninja and ctest use all cores themselves.
.NOTPARALLEL:

all: build/build.ninja
	cmake --build --preset release --target assay

setup:
	tools/setup
	-tools/fetch_onnxruntime

$(STAMP):
ifeq ($(SETUP),yes)
	tools/setup
endif
	@mkdir -p build && rm -f build/.setup-* && touch $@

build/build.ninja: CMakePresets.json | $(STAMP)
	cmake --preset release

build-asan/build.ninja: CMakePresets.json | $(STAMP)
	cmake --preset asan -DCMAKE_CXX_COMPILER=$(CLANG)

build-fuzz/build.ninja: CMakePresets.json | $(STAMP)
	cmake --preset fuzz -DCMAKE_CXX_COMPILER=$(CLANG)

demo: all
	examples/demo/run

test: build/build.ninja build-asan/build.ninja
	tools/run_tests release asan

# A real network that a real runtime breaks: needs packages of pip.
demo-real: all
	examples/demo-real

# Needs packages of pip; without them it skips and says so.
test-real: all
	tests/real/run.py

# The counts of `test` come last.
test-all: check fuzz test-real test

asan: build-asan/build.ninja
	tools/run_tests asan

check: build/build.ninja
	tools/check

fuzz: build-fuzz/build.ninja
	cmake --build --preset fuzz
	tools/run_fuzz build-fuzz/fuzz $(FUZZ_SECONDS)

bench: all
	/usr/bin/python3 bench/run.py

install: all
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-*

help:
	@echo 'make           build build/assay (installs what is missing first)'
	@echo 'make demo      build, then find the fault in a bundled example'
	@echo 'make demo-real find what breaks a real network in f16 (downloads 1.4 GB once)'
	@echo 'make test      all tests, plain and under ASan + UBSan'
	@echo 'make test-real current torch, TensorFlow, TorchAir, msprobe, Polygraphy, OpenVINO, TVM (downloads 1.4 GB once)'
	@echo 'make test-all  test, test-real, check and fuzz'
	@echo 'make asan      the tests under ASan + UBSan only'
	@echo 'make check     format, tidy, include direction, sizes'
	@echo 'make fuzz      every fuzz program for FUZZ_SECONDS [$(FUZZ_SECONDS)] seconds'
	@echo 'make bench     speed and memory against NumPy and the page cache'
	@echo 'make install   into PREFIX [$(PREFIX)]'
	@echo 'make setup     install the packages only, fetch ONNX Runtime; SETUP=no: never install any'
	@echo 'make clean     remove build directories'
