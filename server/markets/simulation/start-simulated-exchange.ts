import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerAsExchange } from "./exchange-answers.ts";
import type { Market } from "./simulated-market.ts";

/**
 * Starts the demo's own exchanges on a free port of 127.0.0.1: they speak like real ones, about invented
 * prices. The demo asks them in the same way as a real site asks real ones, and marks what they say.
 */
export async function startSimulatedExchange(
  market: Market,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { status, body } = answerAsExchange(
      new URL(request.url ?? "/", "http://exchange"),
      market,
    );
    const headers = { "content-type": "application/json", date: market.now().toUTCString() };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
