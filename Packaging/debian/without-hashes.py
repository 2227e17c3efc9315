#!/usr/bin/env python3
"""Clears the module hashes that the Swift compiler stores in programs: without-hashes.py FILE...

The compiler uses them for incremental builds only. They differ between builds of the same source, and so does the linker's
build ID. This script clears them and computes a new build ID, before dh_strip splits off the symbols. Files that are no
64-bit programs, and programs without such hashes, are not changed.
"""

import hashlib
import struct
import sys


def sections(data):
    """The sections of a program: name, offset and size."""
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    if count == 0:
        return
    headers = [struct.unpack_from("<IIQQQQ", data, table + number * size) for number in range(count)]
    start = headers[names][4]
    for name, _, _, _, offset, length in headers:
        end = data.index(b"\0", start + name)
        yield data[start + name:end].decode(), offset, length


def main():
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if data[:6] != b"\x7fELF\x02\x01":
            continue
        places = {name: (offset, length) for name, offset, length in sections(data)}
        if ".swift_modhash" not in places:
            continue
        offset, length = places[".swift_modhash"]
        data[offset:offset + length] = bytes(length)
        # The note has a header of 16 bytes, its name included.
        offset, length = places.get(".note.gnu.build-id", (0, 0))
        if not 20 <= length <= 48:
            sys.exit("%s has no build ID of 4 to 32 bytes" % path)
        data[offset + 16:offset + length] = bytes(length - 16)
        data[offset + 16:offset + length] = hashlib.sha256(data).digest()[:length - 16]
        with open(path, "r+b") as file:
            file.write(data)


main()
