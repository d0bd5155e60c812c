/** One encoded picture of a film. */
export interface Chunk {
  timeMs: number;
  isKey: boolean;
  bytes: Uint8Array;
}

export interface Film {
  width: number;
  height: number;
  durationMs: number;
  /** In order of time; the first one is a key picture. */
  chunks: readonly Chunk[];
}

/**
 * Puts VP9 pictures into a WebM file that can be sought in: one cluster for each key picture, and their places
 * at the head. The elements are those of RFC 9559.
 */
export function writeWebm(film: Film): Buffer {
  const clusters = clustersOf(film.chunks);
  const head = Buffer.concat([info(film), tracks(film)]);
  // Positions have a fixed width, so that the list is as long before they are known as after.
  const listLength = cues(clusters.map(({ timeMs }) => ({ timeMs, position: 0 }))).length;
  let position = head.length + listLength;
  const places = clusters.map(({ timeMs, bytes }) => {
    const place = { timeMs, position };
    position += bytes.length;
    return place;
  });
  const bodies = clusters.map(({ bytes }) => bytes);
  return Buffer.concat([ebmlHead(), element(0x18538067, head, cues(places), ...bodies)]);
}

function ebmlHead(): Buffer {
  return element(
    0x1a45dfa3,
    unsigned(0x4286, 1),
    unsigned(0x42f7, 1),
    unsigned(0x42f2, 4),
    unsigned(0x42f3, 8),
    text(0x4282, "webm"),
    unsigned(0x4287, 4),
    unsigned(0x4285, 2),
  );
}

function info({ durationMs }: Film): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(durationMs);
  return element(
    0x1549a966,
    unsigned(0x2ad7b1, 1_000_000),
    element(0x4489, duration),
    text(0x4d80, "assay"),
    text(0x5741, "assay"),
  );
}

function tracks({ width, height }: Film): Buffer {
  const video = element(0xe0, unsigned(0xb0, width), unsigned(0xba, height));
  const track = element(
    0xae,
    unsigned(0xd7, 1),
    unsigned(0x73c5, 1),
    unsigned(0x83, 1),
    unsigned(0x9c, 0),
    text(0x86, "V_VP9"),
    video,
  );
  return element(0x1654ae6b, track);
}

function cues(places: { timeMs: number; position: number }[]): Buffer {
  const points = places.map(({ timeMs, position }) => {
    const where = Buffer.alloc(8);
    where.writeBigUInt64BE(BigInt(position));
    const place = element(0xb7, unsigned(0xf7, 1), element(0xf1, where));
    return element(0xbb, unsigned(0xb3, timeMs), place);
  });
  return element(0x1c53bb6b, ...points);
}

function clustersOf(chunks: readonly Chunk[]): { timeMs: number; bytes: Buffer }[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    if (chunk.isKey) groups.push([chunk]);
    else groups.at(-1)?.push(chunk);
  }
  return groups.map((group) => {
    const timeMs = group[0]?.timeMs ?? 0;
    const blocks = group.map((chunk) => simpleBlock(chunk, timeMs));
    return { timeMs, bytes: element(0x1f43b675, unsigned(0xe7, timeMs), ...blocks) };
  });
}

function simpleBlock({ timeMs, isKey, bytes }: Chunk, clusterMs: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(0x81, 0);
  head.writeInt16BE(timeMs - clusterMs, 1);
  head.writeUInt8(isKey ? 0x80 : 0, 3);
  return element(0xa3, head, Buffer.from(bytes));
}

function element(id: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
  return Buffer.concat([idBytes(id), size, body]);
}

function idBytes(id: number): Buffer {
  const hex = id.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
}

function unsigned(id: number, value: number): Buffer {
  const hex = value.toString(16);
  return element(id, Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex"));
}

function text(id: number, value: string): Buffer {
  return element(id, Buffer.from(value, "ascii"));
}
