import { healthTexts, type SourceHealth } from "./payments/source-health.ts";
import type { Permission } from "./permissions.ts";
import { formatDay } from "./utc-day.ts";
import type { WalletChain } from "./wallet/wallet-key.ts";
import { chainNames } from "./wallet/wallet-terms.ts";

/** What should have happened by now, in facts. That no worker runs is said on every page of the console. */
export type LateFact =
  | { kind: "worker"; since: Date | null }
  | { kind: "chain-silent"; chain: WalletChain; since: Date | null }
  | { kind: "chain"; chain: WalletChain; health: SourceHealth; since: Date }
  | { kind: "uncredited"; count: number; since: Date }
  | { kind: "prices-silent"; since: Date | null }
  | { kind: "prices" | "short"; asset: string; since: Date }
  | { kind: "pool-silent" | "pool" | "coins-unexplained"; pool: string; since: Date }
  | { kind: "coins-missing"; pool: string; since: null }
  | { kind: "day-without-payout"; day: string; pools: string; since: Date }
  | { kind: "day-not-posted"; day: string; since: Date }
  | { kind: "batch-overdue"; since: Date }
  | {
      kind: "batch-unseen" | "batch-unsent" | "batch-unconfirmed";
      id: string;
      day: string;
      since: Date;
    }
  | { kind: "proof"; since: Date }
  | { kind: "backup" | "backup-behind"; since: Date | null }
  | { kind: "drill"; since: Date; holds: boolean }
  | { kind: "disk" | "key"; place: string; since: Date }
  | { kind: "seal" | "batch-unsigned" | "batch-signed"; since: Date }
  | {
      kind: "mails" | "jobs" | "given-up" | "deposits-waiting" | "withdrawals-waiting";
      count: number;
      since: Date;
    };

/** Which page each leads to, who may read it, and what it takes to do something about it: who may is told. */
export const latePlaces: Record<
  LateFact["kind"],
  { to: string; reads: Permission; acts: Permission }
> = {
  worker: { to: "/operator/health", reads: "console/read", acts: "jobs/retry" },
  "chain-silent": { to: "/operator/chain", reads: "chain/read", acts: "jobs/retry" },
  chain: { to: "/operator/chain", reads: "chain/read", acts: "chain/propose-deep-reorg" },
  uncredited: { to: "/operator/chain", reads: "chain/read", acts: "deposits/propose-resolution" },
  "prices-silent": { to: "/operator/markets", reads: "markets/read", acts: "jobs/retry" },
  prices: { to: "/operator/markets", reads: "markets/read", acts: "jobs/retry" },
  "pool-silent": { to: "/operator/payouts/pools", reads: "payouts/read", acts: "jobs/retry" },
  pool: { to: "/operator/payouts/pools", reads: "payouts/read", acts: "payouts/enter" },
  "coins-missing": { to: "/operator/payouts/pools", reads: "payouts/read", acts: "payouts/vouch" },
  "coins-unexplained": {
    to: "/operator/payouts/pools",
    reads: "payouts/read",
    acts: "payouts/vouch",
  },
  "day-without-payout": { to: "/operator/payouts", reads: "payouts/read", acts: "payouts/enter" },
  "day-not-posted": { to: "/operator/mining", reads: "mining/read", acts: "mining/post-day" },
  "deposits-waiting": {
    to: "/operator/deposits",
    reads: "deposits/read",
    acts: "deposits/approve",
  },
  "withdrawals-waiting": {
    to: "/operator/withdrawals",
    reads: "withdrawals/read",
    acts: "withdrawals/approve",
  },
  "batch-unsigned": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/upload-signed",
  },
  "batch-signed": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/order-broadcast",
  },
  "batch-overdue": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/form-batch",
  },
  "batch-unseen": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/form-batch",
  },
  "batch-unsent": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/propose-abandonment",
  },
  "batch-unconfirmed": {
    to: "/operator/withdrawals/batches",
    reads: "withdrawals/read",
    acts: "withdrawals/rebuild-batch",
  },
  short: {
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    acts: "reconciliation/count",
  },
  proof: {
    to: "/operator/reconciliation",
    reads: "reconciliation/read",
    acts: "reconciliation/read-again",
  },
  backup: { to: "/operator/health", reads: "jobs/read", acts: "jobs/retry" },
  "backup-behind": { to: "/operator/health", reads: "jobs/read", acts: "jobs/retry" },
  drill: { to: "/operator/health", reads: "jobs/read", acts: "jobs/retry" },
  disk: { to: "/operator/health", reads: "jobs/read", acts: "jobs/retry" },
  key: { to: "/operator/health", reads: "jobs/read", acts: "jobs/retry" },
  mails: { to: "/operator/mail?state=queued", reads: "mail/list", acts: "mail/resend" },
  jobs: { to: "/operator/jobs", reads: "jobs/read", acts: "jobs/retry" },
  "given-up": { to: "/operator/jobs", reads: "jobs/read", acts: "jobs/retry" },
  seal: { to: "/operator/jobs", reads: "jobs/read", acts: "jobs/retry" },
};

export const lateKinds = Object.keys(latePlaces) as LateFact["kind"][];

/** For how many hours mails about what is late may be kept back. */
export const silenceHours = [1, 2, 4, 8, 24] as const;

/** What to do about it, in words for somebody who was just woken up. docs/operating/alarms.md has the same. */
export const lateAdvice: Record<LateFact["kind"], string> = {
  worker:
    "Start a worker. Until one runs, nothing is credited or sent, and customers get no mail; nothing is lost.",
  "chain-silent":
    "The worker runs and does not ask this node: restart the worker. No payment is lost.",
  chain:
    "Open Chain: it shows what the node says. Mend the node. Nothing is credited from this chain meanwhile, and no payment is lost.",
  uncredited: "Open Chain: each payment has its reason there, and two people decide how it ends.",
  "prices-silent":
    "The worker runs and does not ask the exchanges: restart it. Nothing is sold without a price.",
  prices:
    "Open Markets: too few exchanges agree or answer. Nothing is sold meanwhile. It ends as soon as enough of them agree.",
  "pool-silent": "The worker runs and does not ask the pool: restart the worker.",
  pool: "Is the pool down, or was its token revoked? If it lasts, enter the payout by hand.",
  "coins-missing":
    "A payout was covered by coins that are not in the chain any more. Ask the pool. Its days say so to customers until the coins are back.",
  "coins-unexplained": "Record the payout that these coins belong to, or record them as own money.",
  "day-without-payout":
    "Enter the payout, or ask the pool for it. Customers are credited when every pool's payout is there.",
  "day-not-posted":
    "Open the day under Mining: it waits for staff to post it, or its posting is stuck.",
  "deposits-waiting": "Open Deposits, and decide on the oldest first: its customer waits.",
  "withdrawals-waiting": "Open Withdrawals, and decide on the oldest first: its customer waits.",
  "batch-unsigned": "Sign the batch: its customers have waited for a day.",
  "batch-signed": "Order the batch to be sent: its customers have waited for a day.",
  "batch-overdue": "Form the batch: customers have waited since before today.",
  "batch-unseen": "Open Chain and mend the node. What was sent is on its way; we cannot see it.",
  "batch-unsent": "Open the batch: it says why the node refuses it.",
  "batch-unconfirmed": "Open the batch, and build it again with a higher fee.",
  short:
    "Count again, and find out what is missing. Nothing is sold until a count covers what we owe.",
  proof:
    "It waits for a mining day that is being posted, or contracts do not agree with the ledger: owners see the reason under Jobs. After three days nothing is sold.",
  backup:
    "Open Jobs: it says why backups/make fails. Is there room where backups go? Until there is a new one, a restore takes longer.",
  "backup-behind":
    "Open Jobs: it says why backups/keep-wal fails. Is the folder of the backups mounted? Until it is, a lost disk loses what came since.",
  drill:
    "Run npm run drill where the backups' key is. If it did not hold, nothing else is as urgent: what it prints says what is wrong.",
  disk: "Make room where DATA_DIR is, or give it a larger disk. Once it is full, an embedded database stops, and files that are kept there are refused.",
  key: "Rotate it while the product runs: docs/operating/keys.md has the steps. Until then everything works.",
  mails: "Open Mail: what does the mail server answer?",
  jobs: "The worker does not keep up, or is stuck. Restart it; if it lasts, start a second one.",
  "given-up": "Open Jobs: it says why they failed as often as they may, and tries them again.",
  seal: "Open Jobs: it says why ledger/seal-transfers fails. Transfers go on; until they are sealed, a change of them in the database would not be found.",
};

/** These healths pass by themselves; every other one is an alarm of its own, also where it follows one of these. */
const passing: ReadonlySet<SourceHealth> = new Set([
  "unreachable",
  "warming-up",
  "syncing",
  "catching-up",
  "stale",
  "behind",
]);

/** What passes by itself may come and go all day (it flaps); anything else is news each time. */
const passingKinds: ReadonlySet<LateFact["kind"]> = new Set([
  "worker",
  "chain-silent",
  "prices-silent",
  "prices",
  "pool-silent",
  "pool",
  "batch-unseen",
  "backup-behind",
  "disk",
  "mails",
  "jobs",
  "seal",
]);
export function passesByItself(late: LateFact): boolean {
  return late.kind === "chain" ? passing.has(late.health) : passingKinds.has(late.kind);
}

/** What it is of: the same as long as it is late, whatever is said of it meanwhile. */
export function subjectOfLate(late: LateFact): string {
  const {
    chain = "",
    health = "",
    pool = "",
    id = "",
    day = "",
    asset = "",
    place = "",
  }: Record<string, unknown> = { ...late };
  const of = passing.has(health as SourceHealth) ? "" : health;
  return [late.kind, chain, of, pool, id || day, asset, place]
    .filter((each) => each !== "")
    .join(" ");
}

/** In one sentence, without its age. */
export function sayLate(late: LateFact): string {
  switch (late.kind) {
    case "chain-silent":
      return late.since
        ? `${chainNames[late.chain]}: we no longer ask the node`
        : `${chainNames[late.chain]}: the node has never been asked`;
    case "chain":
      return `${chainNames[late.chain]} node: ${lower(healthTexts[late.health])}`;
    case "uncredited":
      return `${ofMany(late.count, "confirmed payment is", "confirmed payments are")} not credited`;
    case "prices-silent":
      return late.since
        ? "We no longer ask the exchanges for prices"
        : "The exchanges have never been asked for prices";
    case "prices":
      return `Exchanges give no price of ${late.asset}`;
    case "pool-silent":
      return `${late.pool}: we no longer ask the pool`;
    case "pool":
      return `${late.pool} does not answer`;
    case "coins-missing":
      return `${late.pool}: coins that cover its payouts are missing from the chain`;
    case "coins-unexplained":
      return `${late.pool}: coins have arrived that no payout explains`;
    case "day-without-payout":
      return `${formatDay(late.day)}: no payout from ${late.pools} yet`;
    case "day-not-posted":
      return `${formatDay(late.day)} is complete and not credited`;
    case "deposits-waiting":
      return `${ofMany(late.count, "deposit has", "deposits have")} waited for a day to be reviewed`;
    case "withdrawals-waiting":
      return `${ofMany(late.count, "withdrawal has", "withdrawals have")} waited for a day to be approved`;
    case "batch-unsigned":
      return "A batch has waited for a day to be signed";
    case "batch-signed":
      return "A signed batch has waited for a day to be sent";
    case "batch-overdue":
      return "Withdrawals were due before today";
    case "batch-unseen":
      return `Batch of ${formatDay(late.day)}: the node cannot be asked about it`;
    case "batch-unsent":
      return `Batch of ${formatDay(late.day)}: ordered to be sent, and not sent`;
    case "batch-unconfirmed":
      return `Batch of ${formatDay(late.day)}: sent, and in no block yet`;
    case "short":
      return `${late.asset}: a count found less than our ledger shows`;
    case "proof":
      return "No proof of what we owe was published";
    case "worker":
      return late.since ? "No worker runs any more" : "No worker has run yet";
    case "backup":
      return backupWords(late);
    case "backup-behind":
      return "Backups are behind what was written";
    case "drill":
      return drillWords(late);
    case "disk":
      // The folder is nobody's business on a lock screen.
      return `The disk of ${late.place.split(":")[0]} is almost full`;
    case "key":
      return `${late.place} should have been rotated`;
    case "mails":
      return `${ofMany(late.count, "e-mail waits", "e-mails wait")} to be sent`;
    case "jobs":
      return `${ofMany(late.count, "job has", "jobs have")} not started`;
    case "given-up":
      return `${ofMany(late.count, "job was", "jobs were")} given up`;
    case "seal":
      return "Transfers are not sealed";
  }
}

function backupWords({ since }: { since: Date | null }): string {
  return since ? "No backup was made for a day" : "No backup has been made yet";
}

function drillWords({ holds }: { holds: boolean }): string {
  return holds
    ? "No backup was restored as a trial for five weeks"
    : "A restored backup did not hold";
}

function ofMany(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
