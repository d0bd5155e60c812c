import { randomUUID } from "node:crypto";
import type { Coin } from "../../core/asset.ts";
import { keepEvidence } from "../../server/adjustments/keep-evidence.ts";
import type { App } from "../../server/app-context.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { listHouseBalances } from "../../server/ledger/list-house-balances.ts";
import { desc } from "../../server/platform/sql.ts";
import { confirmCount, rejectCount } from "../../server/reconciliation/decide-count.ts";
import { enterCount } from "../../server/reconciliation/enter-count.ts";
import { explainDifference } from "../../server/reconciliation/explain-difference.ts";
import { noteCustody } from "../../server/reconciliation/note-custody.ts";
import { custodyHoldings } from "../../server/reconciliation/schema.ts";
import { drawPaper } from "./demo-people.ts";
import type { DemoDays, DemoEvent } from "./demo-timeline.ts";

interface Context {
  app: App;
  days: DemoDays;
  olga: Operator;
  pavel: Operator;
}

/** Every week Pavel counts the wallets and Olga looks too; one count was mistyped, one found more than the books say. */
export function countEvents(context: Context): DemoEvent[] {
  const { app, days, olga } = context;
  const { db } = app;
  const noted = Array.from({ length: 31 }, (_, i): DemoEvent => {
    return { at: days.afterDay(31 - i, 45), happen: (at) => noteCustody(db, at) };
  });
  const isCounted = (daysAgo: number, asset: Coin, extraUnits = 0n): DemoEvent[] => {
    let countId = "";
    return [
      {
        at: days.at(daysAgo, "14:00"),
        async happen(at) {
          countId = await count(context, { asset, extraUnits, at });
        },
      },
      { at: days.at(daysAgo, "15:30"), happen: (at) => confirmCount(db, olga, countId, at) },
    ];
  };
  const mistyped = async (at: Date) => {
    const countId = await count(context, { asset: "BTC", extraUnits: 900_000_000n, at });
    const reason = "Demo: a digit too many. Please count again.";
    await rejectCount(db, olga, { countId, reason }, new Date(at.getTime() + 20 * 60_000));
  };
  return [
    ...noted,
    ...[28, 21, 14, 7, 1].flatMap((daysAgo) =>
      isCounted(daysAgo, "BTC", daysAgo === 14 ? 20_000n : 0n),
    ),
    ...[21, 7].flatMap((daysAgo) => isCounted(daysAgo, "ETH")),
    ...isCounted(1, "USDT"),
    { at: days.at(21, "13:00"), happen: mistyped },
    { at: days.at(14, "16:10"), happen: (at) => explain(context, at) },
    {
      at: days.minutesAgo(4),
      happen: (at) => count(context, { asset: "ETH", extraUnits: 0n, at }),
    },
  ];
}

/** What the books say is what the wallets of an invented operator hold. */
async function count(
  { app, pavel }: Context,
  { asset, extraUnits, at }: { asset: Coin; extraUnits: bigint; at: Date },
): Promise<string> {
  const file = { name: "wallet.jpg", bytes: await drawPaper(`${asset} ${at.getTime()}`) };
  const { evidenceId } = await keepEvidence(app, pavel.id, file, at);
  const books = (await listHouseBalances(app.db)).find(
    (each) => each.account === "custody" && each.asset === asset,
  );
  const units = (books?.units ?? 0n) + extraUnits;
  const counted = { submissionKey: randomUUID(), asset, units, asOf: at, evidenceId };
  const wallets = "Demo: cold wallet and hot wallet";
  const entered = { ...counted, blockHeight: null, wallets };
  return (await enterCount(app.db, pavel, entered, at)).countId;
}

async function explain({ app, olga }: Context, now: Date): Promise<void> {
  const h = custodyHoldings;
  const [newest] = await app.db.select().from(h).orderBy(desc(h.recordedAt)).limit(1);
  const words = "Demo: a customer of the old site paid to a wallet that we no longer show.";
  await explainDifference(app.db, olga, { holdingId: newest?.id ?? "", words }, now);
}
