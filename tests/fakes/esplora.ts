import { createServer } from "node:http";
import type { BitcoinNode } from "#server/chain/bitcoin-node.ts";

/** An Esplora server's answers about blocks, in its shapes, over what a real node says. */
export async function startEsplora(
  node: BitcoinNode,
): Promise<{ url: string; stop(): Promise<void> }> {
  const answer = async (path: string): Promise<string | Buffer | null> => {
    const [, what, id = "", more] = path.split("/");
    if (path === "/blocks/tip/hash") return (await node.getBlockchainInfo()).bestblockhash;
    if (what === "block-height") return node.getBlockHash(Number(id));
    if (what !== "block") return null;
    if (more === "raw") return node.getBlock(id);
    const header = await node.getBlockHeader(id);
    return header && JSON.stringify({ id, height: header.height, timestamp: header.time });
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "").then(
      (body) => {
        if (body === null) response.statusCode = 404;
        response.end(body ?? "not found");
      },
      () => {
        response.statusCode = 500;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
