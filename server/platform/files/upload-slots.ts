/** Works on an upload, and is told whether there is room to read it. */
export type HoldSlot = <T>(account: string, work: (isHeld: boolean) => Promise<T>) => Promise<T>;

interface Waiter {
  account: string;
  admit(): void;
}

/**
 * Lets so many uploads be under way in this process, and so many of one account. Further ones wait; a free slot goes to the
 * account that holds fewest, so that one account cannot hold up the others. After `waitMs`, or when too many wait already,
 * the work is done without a slot.
 */
export function openUploadSlots(limits: {
  inAll: number;
  ofOneAccount: number;
  waiting: number;
  waitingOfOneAccount: number;
  waitMs: number;
}): HoldSlot {
  const held = new Map<string, number>();
  let heldInAll = 0;
  let waiting: Waiter[] = [];

  const heldBy = (account: string) => held.get(account) ?? 0;
  const hasRoom = (account: string) =>
    heldInAll < limits.inAll && heldBy(account) < limits.ofOneAccount;

  function count(account: string, change: 1 | -1): void {
    heldInAll += change;
    const own = heldBy(account) + change;
    if (own === 0) held.delete(account);
    else held.set(account, own);
  }

  async function enter(account: string): Promise<boolean> {
    if (hasRoom(account)) {
      count(account, 1);
      return true;
    }
    const own = waiting.filter((waiter) => waiter.account === account).length;
    if (waiting.length >= limits.waiting || own >= limits.waitingOfOneAccount) return false;
    return new Promise((resolve) => {
      const waiter = { account, admit: () => end(true) };
      const timer = setTimeout(() => end(false), limits.waitMs);
      const end = (isHeld: boolean) => {
        clearTimeout(timer);
        waiting = waiting.filter((each) => each !== waiter);
        resolve(isHeld);
      };
      waiting.push(waiter);
    });
  }

  function leave(account: string): void {
    count(account, -1);
    const [next] = waiting
      .filter((waiter) => hasRoom(waiter.account))
      .sort((a, b) => heldBy(a.account) - heldBy(b.account));
    if (!next) return;
    count(next.account, 1);
    next.admit();
  }

  return async (account, work) => {
    const isHeld = await enter(account);
    try {
      return await work(isHeld);
    } finally {
      if (isHeld) leave(account);
    }
  };
}
