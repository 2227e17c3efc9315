# The commands of the project; `make help` describes them. Each runs a small script in Scripts/.

.DEFAULT_GOAL := help
.PHONY: help demo test release install uninstall mpv man portable wheel package container dist matrix nightly bench lint fixtures clean

PREFIX ?= /usr/local

help:
	@echo 'make demo      build for debugging, and extract every subtitle of a sample media file into demo-out/'
	@echo 'make test      lint, build, tests with the fuzz corpora, guides, AddressSanitizer'
	@echo 'make release   .build/release/undertext, stripped, with a static Swift runtime and all traits'
	@echo 'make install   command, C library, manual pages, completions into PREFIX (/usr/local); also DESTDIR, LIBDIR'
	@echo 'make uninstall removes what make install put there'
	@echo 'make mpv       .build/mpv/undertext.so, a plugin for mpv, for the C library in PREFIX'
	@echo 'make man       manual pages and completions into .build/manual'
	@echo 'make package   Debian packages and the Python wheel into dist/; SWIFT=… names the toolchain'
	@echo 'make matrix    tests in clean roots of Debian 12, 13 and unstable, with FFmpeg 5.1, 7.1 and 9.0'
	@echo 'make portable  dist/: a tarball for any x86-64 Linux, with an FFmpeg of its own'
	@echo 'make wheel     dist/: the Python package, from the portable build'
	@echo 'make container dist/: the container image, from the portable build (root)'
	@echo 'make dist      dist/: everything that a release publishes, with sums and an SBOM'
	@echo 'make nightly   ThreadSanitizer, fuzzing, the ABI of the C library, documentation, benchmarks'
	@echo 'make bench     compare with ffmpeg, mkvextract and others, the machine and the committed results'
	@echo 'make lint      swift format lint --strict, spelling, links, public symbols'
	@echo 'make fixtures  generate Fixtures/ from its sources'
	@echo 'make clean     remove the output of all other targets'

demo:
	@Scripts/demo.sh

test:
	@Scripts/test.sh

release:
	@Scripts/release.sh --enable-all-traits

install: release
	@Scripts/install.sh '$(PREFIX)'

uninstall:
	@Scripts/uninstall.sh '$(PREFIX)'

mpv:
	@Scripts/mpv.sh '$(PREFIX)'

man:
	@Scripts/man.sh

package:
	@Scripts/package.sh
	@if [ "$$(uname -m)" = x86_64 ] && grep -q '^VERSION_CODENAME=bookworm$$' /etc/os-release; then \
	    $(MAKE) --no-print-directory wheel; \
	else echo 'The wheel is left out: it is built on Debian 12 for x86-64.'; fi

matrix:
	@Scripts/matrix.sh

portable:
	@Packaging/portable/build.sh

wheel: portable
	@Packaging/portable/wheel.sh

container: portable
	@Packaging/portable/container.sh build

dist:
	@Scripts/dist.sh

nightly:
	@Scripts/nightly.sh

bench: release
	@Tests/Benchmarks/run.sh

lint:
	@Scripts/lint.sh

fixtures:
	@Scripts/packages.sh ffmpeg mkvtoolnix python3
	@Fixtures/make.sh

clean:
	rm -rf .build .build-asan .build-guides .build-tsan .build-docs .build-matrix .build-package .build-portable dist Examples/swift/.build Tests/Fuzz/.build demo-out bench-out
