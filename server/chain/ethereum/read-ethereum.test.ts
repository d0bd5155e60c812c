import { createServer } from "node:http";
import { expect, test } from "vitest";
import { type CallFrame, EthereumNode } from "./ethereum-node.ts";
import { findCalls } from "./find-calls.ts";
import { hashHeader, requireHashOfFields } from "./hash-header.ts";

const zeros = `0x${"00".repeat(32)}`;
const to = `0x${"11".repeat(20)}`;
const call = (more: Partial<CallFrame>): CallFrame => ({ type: "CALL", to, value: 1n, ...more });

/** The first block of Ethereum's main network. */
const genesis = {
  hash: zeros,
  parentHash: zeros,
  mixHash: zeros,
  number: 0,
  timestamp: 0,
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: `0x${"00".repeat(20)}`,
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  logsBloom: `0x${"00".repeat(256)}`,
  difficulty: "0x400000000",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  totalDifficulty: "0x1",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  nonce: "0x0000000000000042",
};

test("a header's hash comes out of its fields, and nothing hides behind a field that is not known", () => {
  const hash = "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";
  const block = { ...genesis, hash };
  const refusal = (header: typeof block & Record<string, unknown>) => {
    try {
      requireHashOfFields(header);
      return null;
    } catch (error) {
      return error;
    }
  };
  expect(hashHeader(genesis)).toBe(hash);
  expect(refusal(block)).toBeNull();
  // What a node tells beside a header that is known whole is no part of it.
  expect(refusal({ ...block, toldBeside: "0x7" })).toBeNull();
  const another = { health: "lying", message: "block 0: its header has another hash" };
  expect(refusal({ ...block, timestamp: 1 })).toMatchObject(another);
  expect(refusal({ ...block, extraData: "nonsense" })).toMatchObject(another);
});

test("a header of a later fork is refused in one sentence that names its fields", () => {
  const forked = { ...genesis, hash: `0x${"ab".repeat(32)}`, slotNumber: "0xa1" };
  expect(() => requireHashOfFields({ ...forked, accessListHash: zeros })).toThrow(
    expect.objectContaining({
      health: "lying",
      message:
        "block 0: this version of Assay cannot check its header, which has unknown fields (slotNumber, accessListHash)",
    }),
  );
});

test("contracts' ether is found by the order of calls; what was undone, borrowed code and nothing are not", () => {
  const trace = call({
    calls: [
      call({ value: 0n, calls: [call({ value: 7n })] }),
      call({ error: "execution reverted", calls: [call({})] }),
      call({ type: "DELEGATECALL" }),
      call({ type: "CALLCODE" }),
      call({ type: "SELFDESTRUCT", value: 9n }),
    ],
  });
  expect(findCalls(trace)).toEqual([
    { nth: 2, to, wei: 7n },
    { nth: 7, to, wei: 9n },
  ]);
  expect(findCalls({ ...trace, error: "out of gas" })).toEqual([]);
});

test("calls as deep as the network allows are read, and what is deeper is no answer of a node", async () => {
  let depth = 0;
  const server = createServer((_, response) => {
    const frame = `{"type":"CALL","to":"${to}","value":"0x1","calls":[`;
    response.end(`{"result":[{"result":${frame.repeat(depth)}${"]}".repeat(depth)}}]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const node = new EthereumNode(`http://127.0.0.1:${port}`);
  depth = 1024;
  const [traced] = await node.traceBlock(zeros);
  expect(findCalls(traced?.result ?? call({}))).toHaveLength(1023);
  depth = 20_000;
  await expect(node.traceBlock(zeros)).rejects.toMatchObject({ failure: "malformed" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
