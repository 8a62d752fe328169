# `make run` and `make test` are all a newcomer needs; `make help` lists the rest.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# A release needs no debug information, which took 119 MB. `make build DEBUG_INFO=dwarf` is for a profiler.
DEBUG_INFO ?= none
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -debug-info-format $(DEBUG_INFO)
ifeq ($(shell uname -s),Linux)
# Addresses are random (a position-independent program). No packed relocations, which need glibc 2.36 and do not make the
# start faster. No forty thousand names for other modules, generic types made from their parts and not by looking up their
# names (1.5 ms of the first frame), and no library to load but C's. The code of a start is in one place, by a list that
# `Scripts/link-order` writes (1.5 ms). No section that nothing reads, as the tables for unwinding (4.4 MB), and no function
# that nothing calls: each, of C too, has its section, and none is kept for other programs. Functions with equal code are
# one. No path of this folder and no hash of paths, so that a build in another folder produces the same program.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker nopack-relative-relocs -Xlinker --no-export-dynamic \
  -Xlinker --build-id=none -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker '$(CURDIR)/Scripts/unread-sections.ld' \
  -Xlinker '--symbol-ordering-file=$(CURDIR)/Scripts/link-order.txt' -Xlinker --no-warn-symbol-ordering \
  -Xlinker --icf=all -Xcc -ffunction-sections -Xcc -fdata-sections \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xswiftc -L -Xswiftc '$(CURDIR)/.build/archives' -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.'
endif
DEMO ?= contoso-suite

program = .build/release/ssoterm

.DEFAULT_GOAL := help
.PHONY: run build test fuzz torture mutate test-surroundings test-clients outside lint format bench pictures claims install \
  dist test-dist notices clean help

run: build  ## build in release and open the demo lab (DEMO=contoso-suite)
	$(program) demo $(DEMO)

build:  ## leave the release program in .build/release/ssoterm
	@Scripts/install-packages build
	@Scripts/link-archives
	$(SWIFT) build $(RELEASE) --product ssoterm

test:  ## build without warnings of our own, and run every test
	@Scripts/install-packages build test
	@Scripts/check-warnings --build-tests
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build

fuzz:  ## damaged inputs to all that reads from outside, then libFuzzer (SEED=N repeats a run, RUNS=1000000 inputs a reader)
	@Scripts/install-packages build test
	$(SWIFT) build --build-tests
	SSOTERM_FUZZ=$(or $(SEED),$(shell date +%s)) SSOTERM_FUZZ_ROUNDS=22 $(SWIFT) test --skip-build \
	  --filter 'FuzzTests|HostileArchiveTests|BrokenFileTests|BrokenLogTests|BrokenRecordingTests|FuzzReaderTests|SettingsReaderTests'
	Scripts/fuzz $(if $(SEED),--seed $(SEED)) $(if $(RUNS),--runs $(RUNS))

torture:  ## kills of every command, files, children, full disks, damaged stores, hostile inputs, a search for secrets: some minutes (SEED=N repeats one)
	@Scripts/install-packages build test
	$(SWIFT) build --build-tests
	Tests/Torture/run $(if $(SEED),--seed $(SEED))

test-surroundings:  ## run the tests with odd descriptors, signals, umask, locale, time zone, TMPDIR and user (NAME=umask-077)
	@Scripts/install-packages build test surroundings
	$(SWIFT) build --build-tests
	Scripts/test-surroundings $(NAME)

mutate:  ## break the condition of each claim, and check that its scenario fails
	@Scripts/install-packages build test
	$(SWIFT) build --build-tests
	SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build --filter 'ClaimMutationTests'

test-clients:  ## let MSAL Python, azure-identity, Authlib, oidc-agent, Apache and chromium sign in at `ssoterm serve`
	@Scripts/install-packages build clients
	$(SWIFT) build --product ssoterm
	Tests/Clients/run

outside: build  ## try doctor, read, and reproduce on public projects and threads that lie in a folder beside the project (FROM=FOLDER)
	Scripts/outside $(program) $(FROM)
	Scripts/outside-reproduce $(program) $(FROM)

lint:  ## check the format, the dependencies, the bans, the language, the cited sources, the embedded files, and the pictures
	@Scripts/install-packages lint
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	Scripts/check-layers
	Scripts/check-errors
	Scripts/check-language
	Scripts/check-behaviour
	Scripts/embed-assets --check
	Scripts/witnesses --check
	Scripts/draw-targets --check
	Scripts/pictures --check

format:  ## put the sources into the format that lint asks for
	$(SWIFT) format --in-place --parallel --recursive Sources Tests Package.swift

bench:  ## measure the release program beside fzf, htop, mutt, MSAL Python and oidc-provider-mock
	@Scripts/install-packages build bench
	@Scripts/link-archives
	$(SWIFT) build $(RELEASE) --product ssoterm
	$(SWIFT) build $(RELEASE) --product ssoterm-bench
	Scripts/bench
	Scripts/bench-server
	Scripts/bench-broker
	Scripts/bench-team

pictures:  ## make the pictures of the README and of docs from the running program
	@Scripts/install-packages build pictures
	$(SWIFT) build --product ssoterm
	Scripts/pictures

claims:  ## write docs/claims.md and docs/witnesses.json: which scenarios and tests show which claim
	@Scripts/install-packages build
	$(SWIFT) run ssoterm scenario claims --markdown > docs/claims.md
	Scripts/witnesses

install: build  ## install under PREFIX=/usr/local: program, man pages, completions, licences
	@Scripts/install-packages install
	Scripts/install-tree $(program) "$(DESTDIR)$(PREFIX)"

dist: build  ## pack the program for others, in dist: a tarball, a Debian package, a Python wheel, a list of what is inside
	@Scripts/install-packages dist
	Scripts/make-dist $(program)

test-dist: dist  ## install each package of dist and start it on Debian 12 and 13 (as root)
	@Scripts/install-packages test-dist
	Scripts/check-dist

notices: build  ## write the licences of what is linked to assets/THIRD-PARTY-NOTICES.txt
	Scripts/third-party notices > assets/THIRD-PARTY-NOTICES.new
	mv assets/THIRD-PARTY-NOTICES.new assets/THIRD-PARTY-NOTICES.txt

clean:  ## remove what was built
	rm -rf .build .build-bench .build-dist dist

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1|/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  make %-17s %s\n' "$$name" "$$text"; done
