import { expect, test } from "vitest";
import { BodyCrowdedOut, openBodyRoom } from "./body-room.ts";
import {
  BodyTooLarge,
  BodyTooSlow,
  countFields,
  isMultipart,
  isPlainMultipart,
  limitBody,
  readBody,
} from "./limit-body.ts";

/** A body of so many pieces of 1,000 bytes; null for one that never ends. */
function bodyOf(pieces: number | null, onPiece = () => {}): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (sent === pieces) return controller.close();
        sent += 1;
        onPiece();
        controller.enqueue(new Uint8Array(1000).fill(sent));
      },
    },
    { highWaterMark: 0 },
  );
}

const limit = { maxBytes: 5000, withinMs: 60_000, room: openBodyRoom(10_000) };

test("a body as large as its limit is read whole", async () => {
  const body = await readBody(bodyOf(5), limit);
  expect([body.length, body[0], body[4999]]).toEqual([5000, 1, 5]);
});

test("a body without end is passed on to its limit, and no further", async () => {
  let pieces = 0;
  const body = bodyOf(null, () => {
    pieces += 1;
  });
  const read = limitBody(body, limit).getReader();
  for (let n = 0; n < 5; n += 1) await read.read();
  await expect(read.read()).rejects.toThrow(BodyTooLarge);
  expect(pieces).toBe(6);
});

test("a body past its limit is refused when it has come, one without end a megabyte later", async () => {
  let pieces = 0;
  const count = () => {
    pieces += 1;
  };
  await expect(readBody(bodyOf(20, count), limit)).rejects.toThrow(BodyTooLarge);
  expect(pieces).toBe(20);
  await expect(readBody(bodyOf(null, count), limit)).rejects.toThrow(BodyTooLarge);
  expect(pieces).toBeLessThan(1100);
});

test("a body that stops coming fails in its time", async () => {
  const body = new ReadableStream<Uint8Array>();
  await expect(readBody(body, { ...limit, withinMs: 20 })).rejects.toThrow(BodyTooSlow);
});

test("a body that comes in drops fails in its time, however many drops there are", async () => {
  const drip = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new Uint8Array(1));
    },
  });
  await expect(readBody(drip, { ...limit, withinMs: 60 })).rejects.toThrow(BodyTooSlow);
});

test("nothing is read before somebody asks for it", async () => {
  let pieces = 0;
  limitBody(
    bodyOf(3, () => {
      pieces += 1;
    }),
    limit,
  );
  await new Promise(setImmediate);
  expect(pieces).toBe(0);
});

test("what goes wrong on the way is passed on", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error("the line is gone"));
    },
  });
  await expect(readBody(broken, limit)).rejects.toThrow("the line is gone");
});

test.each([
  ["", "application/x-www-form-urlencoded", 1],
  ["a=1&b=2", "application/x-www-form-urlencoded", 2],
  ["&".repeat(100_000), "application/x-www-form-urlencoded", 100_001],
  ["--B\r\n\r\n1\r\n--B\r\n\r\n2\r\n--B--", "multipart/form-data; boundary=B", 4],
  ["a&b&c", "multipart/form-data", 1],
])("the fields of %j as %s are counted", (body, type, fields) => {
  expect(countFields(Buffer.from(body), type)).toBe(fields);
});

test.each([
  ["multipart/form-data; boundary=a", true],
  ['multipart/form-data; boundary="a b"', true],
  ["Multipart/Form-Data;BOUNDARY=a", true],
  ["multipart/form-data", false],
  ["multipart/form-data; boundary=", false],
  ["multipart/form-data; boundary=b; boundary=a", false],
  ["multipart/form-data; xboundary=b; boundary=a", false],
  ['multipart/form-data; x="boundary=b"; boundary=a', false],
  ["multipart/form-data; boundary=a, multipart/form-data; boundary=b", false],
  ["application/x-www-form-urlencoded, multipart/form-data; boundary=a", false],
  ["multipart/mixed; boundary=a", false],
])("%s is multipart, and all read it alike: %s", (type, isPlain) => {
  expect(isMultipart(type)).toBe(true);
  expect(isPlainMultipart(type)).toBe(isPlain);
});

test("the fields of a form in parts are counted however its type is written", () => {
  const body = Buffer.from("--B\r\n\r\n1\r\n--B\r\n\r\n2\r\n--B--");
  expect(countFields(body, "Multipart/Form-Data; Boundary=B")).toBe(4);
});

/** A body that waits in the middle of itself until it is let go. */
function slowBody(): { body: ReadableStream<Uint8Array>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new Uint8Array(4000));
      await promise;
      controller.close();
    },
  });
  return { body, end: resolve };
}

test("where bodies that are being read fill their room, the one that has been sending for longest makes way, whoever comes", async () => {
  const room = openBodyRoom(10_000);
  const slow = [slowBody(), slowBody()];
  const read = slow.map(({ body }) => readBody(body, { ...limit, room }));
  // Two of 4,000 bytes have their place, and a third body of 3,000 takes that of the first.
  const crowded = expect(read[0]).rejects.toThrow(BodyCrowdedOut);
  expect(await readBody(bodyOf(3), { ...limit, room })).toHaveLength(3000);
  await crowded;
  slow[1]?.end();
  expect(await read[1]).toHaveLength(4000);
  // What was read, given up or refused takes no room.
  await expect(readBody(bodyOf(20), { ...limit, room })).rejects.toThrow(BodyTooLarge);
  const last = slowBody();
  const kept = readBody(last.body, { ...limit, room });
  for (let n = 0; n < 50; n += 1) await readBody(bodyOf(5), { ...limit, room });
  last.end();
  expect(await kept).toHaveLength(4000);
});

test("a body in pieces of one byte takes the room of its bytes, and no memory for each piece", async () => {
  const count = 500_000;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === count) return controller.close();
      sent += 1;
      controller.enqueue(Uint8Array.of(sent & 255));
    },
  });
  const before = process.memoryUsage().heapUsed;
  const read = await readBody(body, { ...limit, maxBytes: count, room: openBodyRoom(2 * count) });
  expect(read).toHaveLength(count);
  expect([read[0], read[255], read[count - 1]]).toEqual([1, 0, count & 255]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});
