import { setTimeout as wait } from "node:timers/promises";
import { askOutside, type OutsideAnswer, OutsideFailure } from "../../platform/ask-outside.ts";

/** What reaches the pool's answers, and how long it may take. */
export interface BraiinsAccess {
  url: string;
  token: string;
  timeoutMs?: number;
  /** Between two questions: the pool bans who asks more often than every five seconds. */
  pauseMs?: number;
  stopping?: AbortSignal;
}

/** A pool did not answer with what it should. The message is short, and holds nothing that it sent. */
export class PoolFailure extends Error {
  override name = "PoolFailure";
  /** How long it wants to be left alone; null: it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Ninety days of both answers are 30 kB. */
const maxBytes = 1024 * 1024;
const longestRetryAfterMs = 24 * 60 * 60_000;

/**
 * Asks Braiins Pool what it paid for the days from one to another, and how much hashrate it saw. Two questions of its
 * read-only API (academy.braiins.com, "API configuration"), each with a limit on time and size.
 *
 * @throws PoolFailure
 */
export async function askBraiins(
  access: BraiinsAccess,
  { from, until }: { from: string; until: string },
): Promise<{ rewards: Uint8Array; hashrates: Uint8Array; statement: Uint8Array }> {
  const rewardsPath = `/accounts/rewards/json/btc?from=${from}&to=${until}`;
  const hashratesPath = "/accounts/hash_rate_daily/json/group/btc";
  const rewards = await ask(access, rewardsPath);
  await wait(access.pauseMs ?? 6_000, null, { signal: access.stopping }).catch(() => {
    throw new PoolFailure("was not asked to the end");
  });
  const hashrates = await ask(access, hashratesPath);
  // Byte for byte what was answered, each under a line that says to what.
  const statement = Buffer.concat([
    Buffer.from(`GET ${rewardsPath}\n`),
    rewards,
    Buffer.from(`\nGET ${hashratesPath}\n`),
    hashrates,
    Buffer.from("\n"),
  ]);
  return { rewards, hashrates, statement };
}

async function ask(access: BraiinsAccess, path: string): Promise<Uint8Array> {
  try {
    // The token is for the pool that is configured, and for nobody to whom it would send us on.
    const answer = await askOutside(`${access.url}${path}`, {
      withinMs: access.timeoutMs ?? 20_000,
      maxBytes,
      stopping: access.stopping,
      headers: {
        accept: "application/json",
        "user-agent": "Assay (payouts)",
        "Pool-Auth-Token": access.token,
      },
    });
    if (answer.ok) return answer.bytes;
    throw refusal(answer);
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    if (error.fault === "too-large") throw new PoolFailure("sent too much");
    throw new PoolFailure(
      error.fault === "late" ? "did not answer in time" : "could not be reached",
    );
  }
}

function refusal({ status, headers }: OutsideAnswer): PoolFailure {
  if (status === 401 || status === 403) return new PoolFailure("refused the token");
  if (status !== 429) return new PoolFailure(`answered ${status}`);
  const seconds = Number(headers.get("retry-after"));
  const pause = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  return new PoolFailure("is asked too often", pause && Math.min(pause, longestRetryAfterMs));
}
