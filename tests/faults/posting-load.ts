import { randomUUID } from "node:crypto";
import { postTransfer } from "../../server/ledger/post-transfer.ts";
import type { Transfer } from "../../server/ledger/transfer.ts";
import type { Db } from "../../server/platform/database.ts";

/** What clients of the ledger have asked for and been told, written down before and after each request. */
export interface Witness {
  asked(key: string): void;
  told(key: string, transferId: string): void;
}

/** The same words for the same key, in any process: what was asked can be asked again. */
export function transferOf(key: string): Transfer {
  const [customerId = "", units = ""] = key.split(" ");
  return {
    kind: "deposit",
    key,
    ownerId: customerId,
    day: "2026-01-31",
    occurredAt: new Date("2026-01-31T12:00:00Z"),
    source: "test:fault",
    memo: "",
    legs: [
      { account: "available", asset: "BTC", owner: customerId, units: BigInt(units) },
      { account: "custody", asset: "BTC", owner: "house", units: -BigInt(units) },
    ],
  };
}

/**
 * Posts without a pause from so many clients, each for a customer of its own: every second one in a
 * transaction, as acts do. Goes on through errors, as a site does through its visitors' requests.
 */
export async function post(db: Db, clients: number, witness: Witness, goOn: () => boolean) {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const customerId = randomUUID();
      for (let nth = 1; goOn(); nth += 1) {
        const key = `${customerId} ${nth}`;
        witness.asked(key);
        try {
          const transfer = transferOf(key);
          const { transferId } =
            client % 2 === 0
              ? await postTransfer(db, transfer)
              : await db.transaction((tx) => postTransfer(tx, transfer));
          witness.told(key, transferId);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    }),
  );
}
