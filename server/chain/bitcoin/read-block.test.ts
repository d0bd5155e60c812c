import { RawTx, Transaction } from "@scure/btc-signer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullBlock } from "../../../bench/load/full-block.ts";
import { confirmationsNeeded } from "../payment.ts";
import { checkBlock } from "./check-block.ts";
import { judgeTip } from "./judge-tip.ts";
import { merkleRoot, parseBlock, parseTransaction } from "./parse-block.ts";

/** The first block of Bitcoin, as it travels between nodes. */
const genesis = Buffer.from(
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000",
  "hex",
);
const genesisHash = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
const nothing = { height: -1, hash: "00".repeat(32), bits: null };

describe("a block is read byte for byte", () => {
  test("the first one of Bitcoin", () => {
    const block = checkBlock(genesis, { hash: genesisHash, before: nothing, network: "mainnet" });
    expect(block.time).toEqual(new Date("2009-01-03T18:15:05Z"));
    // Its only output is of a kind that no wallet of ours has.
    expect(block.transactions).toEqual([]);
    expect(merkleRoot(block.txids)?.equals(block.merkleRoot)).toBe(true);
  });

  test("transactions as another implementation reads them", () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const script = fc.oneof(
      bytes(20).map((hash) => Uint8Array.of(0, 20, ...hash)),
      bytes(32).map((key) => Uint8Array.of(0x51, 32, ...key)),
      fc.uint8Array({ maxLength: 300 }),
    );
    const transactions = fc.record({
      version: fc.constantFrom(1, 2),
      segwitFlag: fc.boolean(),
      inputs: fc.array(
        fc.record({
          txid: bytes(32),
          index: fc.nat(),
          finalScriptSig: fc.uint8Array({ maxLength: 120 }),
          sequence: fc.constant(0xfffffffd),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      outputs: fc.array(
        fc.record({ amount: fc.bigInt({ min: 0n, max: 21n * 10n ** 14n }), script }),
        { minLength: 1, maxLength: 5 },
      ),
      lockTime: fc.nat(),
      stack: fc.array(fc.uint8Array({ maxLength: 90 }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(transactions, ({ stack, ...body }) => {
        const witnesses = body.segwitFlag ? body.inputs.map(() => stack) : [];
        const raw = RawTx.encode({ ...body, witnesses });
        const parsed = parseTransaction(Buffer.from(raw));
        const wanted = body.outputs.flatMap(({ amount: sats, script: bytes }, outputIndex) => {
          const hex = Buffer.from(bytes).toString("hex");
          return /^(0014.{40}|5120.{64})$/.test(hex) ? [{ outputIndex, sats, script: hex }] : [];
        });
        expect(parsed.outputs).toEqual(wanted);
        const lenient = {
          allowUnknownOutputs: true,
          allowUnknownInputs: true,
          disableScriptCheck: true,
        };
        if (wanted.length > 0) expect(parsed.txid).toBe(Transaction.fromRaw(raw, lenient).id);
      }),
      { numRuns: 60 },
    );
  });

  test("and nothing else: cut or longer ones are no block", () => {
    for (const bytes of [
      genesis.subarray(0, -1),
      Buffer.concat([genesis, genesis.subarray(0, 1)]),
      genesis.subarray(0, 40),
    ]) {
      expect(() => parseBlock(bytes)).toThrow(RangeError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(() => parseBlock(Buffer.from(bytes))).toThrow(RangeError);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a block is not believed", () => {
  const lie = expect.objectContaining({ health: "lying" });
  const check =
    (bytes: Buffer, wanted: Partial<Parameters<typeof checkBlock>[1]> = {}) =>
    () =>
      checkBlock(bytes, { hash: genesisHash, before: nothing, network: "mainnet", ...wanted });

  test("with another hash, another parent, another transaction or too little work", () => {
    const changed = (at: number) => {
      const bytes = Buffer.from(genesis);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    expect(check(genesis, { hash: "ab".repeat(32) })).toThrow(lie);
    expect(check(genesis, { before: { ...nothing, hash: "cd".repeat(32) } })).toThrow(lie);
    expect(check(changed(200))).toThrow(lie);
    // Another nonce is another hash, which lies above the target.
    const unmined = changed(76);
    expect(check(unmined, { hash: parseBlock(unmined).hash })).toThrow(lie);
  });

  test("that was easier to find than the main network allows", () => {
    const easy = fullBlock("00".repeat(32), []);
    const before = nothing;
    expect(checkBlock(easy.bytes, { hash: easy.hash, before, network: "regtest" }).hash).toBe(
      easy.hash,
    );
    expect(check(easy.bytes, { hash: easy.hash })).toThrow(lie);
    // Within a period of 2016 blocks the work stays what it was.
    const half = { ...nothing, height: 99, bits: 0x1c00ffff };
    expect(check(genesis, { before: half })).toThrow(lie);
    expect(check(genesis, { before: { ...half, bits: 0x1d00ffff } })).not.toThrow();
  });

  test("with its last transactions doubled, which gives the same root", () => {
    const [a, b, c] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
    expect(merkleRoot([a, b, c])).not.toBeNull();
    expect(merkleRoot([a, b, c, c])).toBeNull();
  });
});

test("on the main network a source that hears of no block is stale, and one without ours is another chain's", async () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const source = (age: number, first = genesisHash) => ({
    askTip: async () => ({
      height: 900_000,
      hash: "00".repeat(32),
      isSyncing: false,
      time: new Date(now.getTime() - age * 3_600_000),
    }),
    hashAt: async () => first,
    timeOf: async () => now,
    readBlock: async () => genesis,
    mempool: { list: async () => [], read: async () => [] },
    findTransaction: async () => null,
  });
  await expect(judgeTip(source(1), "mainnet", now)).resolves.toMatchObject({ height: 900_000 });
  await expect(judgeTip(source(4), "mainnet", now)).rejects.toMatchObject({ health: "stale" });
  await expect(judgeTip(source(1), "testnet", now)).rejects.toMatchObject({
    health: "another-chain",
  });
});

test("larger payments wait for more blocks, new coins for a hundred", () => {
  const steps = [
    { fromUnits: 0n, blocks: 3 },
    { fromUnits: 100_000_000n, blocks: 6 },
  ];
  const needed = (units: bigint, coinbase = false) =>
    confirmationsNeeded(steps, { units, coinbase });
  expect([needed(1n), needed(99_999_999n), needed(100_000_000n), needed(1n, true)]).toEqual([
    ...[3, 3, 6, 100],
  ]);
});
