/**
 * A file in MaxMind's format that knows the country of some IPv4 networks, each one first byte wide:
 * https://maxmind.github.io/MaxMind-DB/
 */
export function mmdbFile(countryOfFirstByte: Record<number, string>): Buffer {
  const codes = [...new Set(Object.values(countryOfFirstByte))];
  const records = codes.map((code) => map({ country: map({ iso_code: text(code) }) }));
  const offsets = new Map<string, number>();
  let offset = 0;
  codes.forEach((code, index) => {
    offsets.set(code, offset);
    offset += records[index]?.length ?? 0;
  });
  const pointerOf = (code: string | undefined) =>
    code === undefined ? nodeCount : nodeCount + 16 + (offsets.get(code) ?? 0);
  const leaves = Array.from({ length: 256 }, (_, byte) => pointerOf(countryOfFirstByte[byte]));
  const metadata = map({
    binary_format_major_version: number(2),
    binary_format_minor_version: number(0),
    build_epoch: number(1_700_000_000),
    database_type: text("Test-Country"),
    description: map({}),
    ip_version: number(4),
    languages: Buffer.from([0, 4]),
    node_count: number(nodeCount),
    record_size: number(24),
  });
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  return Buffer.concat([treeOf(leaves), Buffer.alloc(16), ...records, marker, metadata]);
}

/** A full tree of eight bits: each node's two children, then what the last ones point to. */
const nodeCount = 255;

function treeOf(leaves: number[]): Buffer {
  const tree = Buffer.alloc(nodeCount * 6);
  for (let child = 1; child <= 2 * nodeCount; child += 1) {
    const pointer = child < nodeCount ? child : (leaves[child - nodeCount] ?? nodeCount);
    tree.writeUIntBE(pointer, (child - 1) * 3, 3);
  }
  return tree;
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes]);
}

function map(fields: Record<string, Buffer>): Buffer {
  const entries = Object.entries(fields);
  const parts = entries.flatMap(([name, value]) => [text(name), value]);
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...parts]);
}
