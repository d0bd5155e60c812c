import { hash, randomBytes } from "node:crypto";
import { merkleRoot } from "../../server/chain/bitcoin/parse-block.ts";

const transactions = 3_000;
/** The easiest target: whoever tries twice on average finds a block. */
const easiestBits = 0x207fffff;

/**
 * A block as full as those of the main network: 3,000 transactions with witnesses and two outputs each. Some of the
 * outputs pay the given scripts, the others scripts of nobody.
 */
export function fullBlock(previousHash: string, paid: Buffer[]): { bytes: Buffer; hash: string } {
  const bodies = Array.from({ length: transactions }, (_, i) => transaction(i, paid[i]));
  const root = merkleRoot(bodies.map(({ id }) => id));
  if (!root) throw new Error("a block has transactions");
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  Buffer.from(previousHash, "hex").reverse().copy(header, 4);
  root.copy(header, 36);
  header.writeUInt32LE(Math.floor(Date.now() / 1000), 68);
  header.writeUInt32LE(easiestBits, 72);
  let found = mined(header, 0);
  for (let nonce = 1; (found.at(31) ?? 0) >= 0x7f; nonce += 1) found = mined(header, nonce);
  const count = Buffer.from([0xfd, transactions & 0xff, transactions >> 8]);
  return {
    bytes: Buffer.concat([header, count, ...bodies.map(({ raw }) => raw)]),
    hash: Buffer.from(found).reverse().toString("hex"),
  };
}

function mined(header: Buffer, nonce: number): Buffer {
  header.writeUInt32LE(nonce, 76);
  return sha256d(header);
}

function transaction(place: number, script = ofNobody()): { id: Buffer; raw: Buffer } {
  const input = Buffer.concat([
    randomBytes(32),
    uint32(place),
    Buffer.from([0]),
    uint32(0xfffffffd),
  ]);
  const body = Buffer.concat([
    Buffer.from([1]),
    input,
    Buffer.from([2]),
    output(script),
    output(ofNobody()),
  ]);
  const version = uint32(2);
  const lockTime = uint32(0);
  const witness = Buffer.concat([
    Buffer.from([2, 71]),
    randomBytes(71),
    Buffer.from([33]),
    randomBytes(33),
  ]);
  return {
    id: sha256d(Buffer.concat([version, body, lockTime])),
    raw: Buffer.concat([version, Buffer.from([0, 1]), body, witness, lockTime]),
  };
}

function output(script: Buffer): Buffer {
  const sats = Buffer.alloc(8);
  sats.writeBigUInt64LE(100_000n);
  return Buffer.concat([sats, Buffer.from([script.length]), script]);
}

function ofNobody(): Buffer {
  return Buffer.concat([Buffer.from("0014", "hex"), randomBytes(20)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function sha256d(bytes: Buffer): Buffer {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}
