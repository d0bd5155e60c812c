import { createServer } from "node:http";
import type { BitcoinNode } from "#server/chain/bitcoin/bitcoin-node.ts";

export interface RunningEsplora {
  url: string;
  /** Every path that it was asked for. */
  asked: string[];
  /** Answers this to what is asked for in the mempool, or, with null, what the node says. */
  refuse(status: number | null): void;
  stop(): Promise<void>;
}

/** An Esplora server's answers about blocks and what waits for one, in its shapes, over what a real node says. */
export async function startEsplora(node: BitcoinNode): Promise<RunningEsplora> {
  const asked: string[] = [];
  let refusing: number | null = null;
  const answerOfBlock = async (id: string, more?: string) => {
    if (more === "raw") return node.getBlock(id);
    const header = await node.getBlockHeader(id);
    return header && JSON.stringify({ id, height: header.height, timestamp: header.time });
  };
  const answerOfTransaction = async (id: string, more?: string) => {
    const known = await node.getRawTransaction(id);
    if (!known || more === "raw") return known && Buffer.from(known.hex, "hex");
    return JSON.stringify({ confirmed: known.blockhash !== undefined });
  };
  const answer = async (path: string): Promise<string | Buffer | null> => {
    const [, what, id = "", more] = path.split("/");
    if (path === "/blocks/tip/hash") return (await node.getBlockchainInfo()).bestblockhash;
    if (path === "/mempool/txids") return JSON.stringify(await node.getMempool());
    if (what === "tx") return answerOfTransaction(id, more);
    if (what === "block-height") return node.getBlockHash(Number(id));
    return what === "block" ? answerOfBlock(id, more) : null;
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    if (refusing && /^.(mempool|tx)/.test(path)) {
      response.statusCode = refusing;
      return response.end();
    }
    answer(path).then(
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
    asked,
    refuse(status) {
      refusing = status;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
