#!/usr/bin/env python3
"""Passes TCP on with a delay, for kernels without netem: delay.py PORT UPSTREAM MILLISECONDS.

Each direction takes half of it, a new connection all of it once more, as its handshake would. At most
WINDOW bytes are on their way in one direction, as TCP's window would have it. What it does not imitate:
the slow start of TCP, and losses.
"""

import asyncio
import collections
import sys

WINDOW = 6 << 20
CHUNK = 256 << 10


async def carry(source, sink, delay, earliest):
    """Forwards data, each piece `delay` seconds after its arrival and not before `earliest`."""
    clock = asyncio.get_running_loop().time
    line, change = collections.deque(), asyncio.Condition()
    held = 0

    async def take():
        nonlocal held
        while True:
            async with change:
                await change.wait_for(lambda: held < WINDOW)
            data = await source.read(CHUNK)
            async with change:
                line.append((max(clock() + delay, earliest), data))
                held += len(data)
                change.notify_all()
            if not data:
                return

    async def give():
        nonlocal held
        while True:
            async with change:
                await change.wait_for(lambda: line)
                due, data = line.popleft()
            await asyncio.sleep(max(0, due - clock()))
            if not data:
                if sink.can_write_eof():
                    sink.write_eof()
                return
            sink.write(data)
            await sink.drain()
            async with change:
                held -= len(data)
                change.notify_all()

    await asyncio.gather(take(), give())


async def serve(port, upstream, delay):
    async def connected(reader, writer):
        opened = asyncio.get_running_loop().time()
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", upstream, limit=2 * CHUNK)
        ways = (asyncio.ensure_future(carry(reader, far_writer, delay / 2, opened + delay * 1.5)),
                asyncio.ensure_future(carry(far_reader, writer, delay / 2, 0)))
        try:
            await asyncio.gather(*ways)
        except (ConnectionError, TimeoutError):
            pass  # a client that has enough closes
        finally:
            for way in ways:
                way.cancel()
            for end in (far_writer, writer):
                end.close()

    server = await asyncio.start_server(connected, "127.0.0.1", port, limit=2 * CHUNK)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000))
