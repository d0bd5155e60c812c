import type { CallFrame } from "./ethereum-node.ts";

/** Ether that a contract sent within a transaction. */
export interface SentByContract {
  /** From 1: by the order in which calls were made, those that moved nothing counted too. */
  nth: number;
  to: string;
  wei: bigint;
}

/** Kinds of calls that move ether to whom they call. Others run somebody's code in place of the caller. */
const moving = new Set(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]);

/** What contracts sent within one transaction, out of its trace: not the transaction's own ether, and nothing that was undone. */
export function findCalls(own: CallFrame): SentByContract[] {
  const sent: SentByContract[] = [];
  let nth = 0;
  const walk = (frame: CallFrame, isUndone: boolean) => {
    for (const call of frame.calls ?? []) {
      nth += 1;
      const { type, to, value = 0n, error } = call;
      const isLost = isUndone || error !== undefined;
      if (!isLost && to && value > 0n && moving.has(type.toUpperCase())) {
        sent.push({ nth, to, wei: value });
      }
      walk(call, isLost);
    }
  };
  walk(own, own.error !== undefined);
  return sent;
}
