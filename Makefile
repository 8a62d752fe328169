# `make run` and `make test` are all a newcomer needs; `make help` lists the rest.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
RELEASE = -c release --static-swift-stdlib
ifeq ($(shell uname -s),Linux)
# Addresses are random (a position-independent program); packed relocations make that cheap at the start. No forty thousand
# names for other modules, generic types made from their parts and not by looking up their names (1.5 ms of the first
# frame), and no library to load but C's.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -L -Xswiftc '$(CURDIR)/.build/archives' -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
endif
DEMO ?= contoso-suite

program = .build/release/ssoterm
bin = $(DESTDIR)$(PREFIX)/bin
share = $(DESTDIR)$(PREFIX)/share

.DEFAULT_GOAL := help
.PHONY: run build test fuzz torture test-clients lint format bench pictures claims install package clean help

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

fuzz:  ## a million damaged inputs to all that reads files, tokens, URLs and logs, then libFuzzer (SEED=N repeats a run)
	@Scripts/install-packages build test
	$(SWIFT) build --build-tests
	SSOTERM_FUZZ=$(or $(SEED),$(shell date +%s)) SSOTERM_FUZZ_ROUNDS=22 $(SWIFT) test --skip-build \
	  --filter 'FuzzTests|HostileArchiveTests|BrokenFileTests|BrokenLogTests|BrokenRecordingTests|FuzzReaderTests|SettingsReaderTests'
	Scripts/fuzz $(if $(SEED),--seed $(SEED))

torture:  ## kills, full disks, damaged stores, hostile inputs, a search for secrets: some minutes (SEED=N repeats one)
	@Scripts/install-packages build test
	$(SWIFT) build --build-tests
	Tests/Torture/run $(if $(SEED),--seed $(SEED))

test-clients:  ## let MSAL Python, azure-identity, Authlib, oidc-agent, Apache and chromium sign in at `ssoterm serve`
	@Scripts/install-packages build clients
	$(SWIFT) build --product ssoterm
	Tests/Clients/run

lint:  ## check the format, who knows whom, and the bans
	@Scripts/install-packages lint
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	Scripts/check-layers
	Scripts/check-errors

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

pictures:  ## make the README's pictures from the running program
	@Scripts/install-packages build pictures
	$(SWIFT) build --product ssoterm
	Scripts/pictures

claims:  ## write docs/claims.md: which scenario shows which claim
	@Scripts/install-packages build
	$(SWIFT) run ssoterm scenario claims --markdown > docs/claims.md

install: build  ## install under PREFIX=/usr/local: program, assets, man page, completions
	@Scripts/install-packages install
	install -d "$(bin)" "$(share)/ssoterm"
	install -s -m 755 $(program) "$(bin)/ssoterm"
	cp -R assets/scenarios assets/projects "$(share)/ssoterm/"
	install -d "$(share)/man/man1" "$(share)/man/man5" "$(share)/bash-completion/completions" \
	  "$(share)/zsh/site-functions" "$(share)/fish/vendor_completions.d"
	Scripts/make-man $(program) > "$(share)/man/man1/ssoterm.1"
	Scripts/make-man $(program) ssoterm-config.5 > "$(share)/man/man5/ssoterm-config.5"
	$(program) completion bash > "$(share)/bash-completion/completions/ssoterm"
	$(program) completion zsh > "$(share)/zsh/site-functions/_ssoterm"
	$(program) completion fish > "$(share)/fish/vendor_completions.d/ssoterm.fish"

package: build  ## make a Debian package of the program in .build/package
	@Scripts/install-packages package
	Scripts/make-package

clean:  ## remove what was built
	rm -rf .build .build-bench

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1|/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  make %-12s %s\n' "$$name" "$$text"; done
