import type { PriceMessage } from "#core/price.ts";

export interface ReceivedPrices {
  prices: PriceMessage[];
  /** By the page's own monotonic clock, in which their ages count on. */
  receivedAtMs: number;
}

type Listener = (received: ReceivedPrices) => void;

/** The page is read first: its prices are seconds old when it comes. */
const connectAfterMs = 3_000;
const retryAfterMs = 15_000;

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Tells of every change of the prices, over one connection for the whole page, and none while no one looks at
 * it. Returns how to stop.
 */
export function followPrices(listener: Listener): () => void {
  if (listeners.size === 0) {
    document.addEventListener("visibilitychange", connectOrRest);
    addEventListener("pagehide", rest);
    addEventListener("pageshow", connectOrRest);
    later(connectAfterMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", connectOrRest);
    removeEventListener("pagehide", rest);
    removeEventListener("pageshow", connectOrRest);
    rest();
  };
}

function later(delayMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(connectOrRest, delayMs);
}

function connectOrRest(): void {
  if (document.hidden) rest();
  else if (document.readyState !== "complete") later(connectAfterMs);
  else if (source === null) connect();
}

function rest(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

function connect(): void {
  clearTimeout(timer);
  source = new EventSource("/events/prices");
  source.addEventListener("prices", ({ data }: MessageEvent<string>) => {
    const received = {
      prices: JSON.parse(data) as PriceMessage[],
      receivedAtMs: performance.now(),
    };
    for (const listener of listeners) listener(received);
  });
  // The browser itself tries again, except after an answer that is none.
  source.addEventListener("error", () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    rest();
    later(retryAfterMs * (1 + Math.random()));
  });
}
