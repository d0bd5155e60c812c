import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import {
  type CachedPage,
  cachePage,
  compressPage,
  NotCacheable,
  type RenderedPage,
} from "./cached-page.ts";

export interface PageCache {
  /** The page of this address when it is fresh: the common case, which waits for nothing. */
  peek(address: string): CachedPage | null;
  /**
   * The page of this address, rendered when needed; null when it is one for each reader.
   *
   * @throws what rendering it throws, when no old page can stand in: Busy, NotCacheable
   */
  get(address: string): Promise<CachedPage | null>;
  /** What the pages show has changed: whoever asks next waits for a new one. */
  expire(): void;
  /** Resolves when nothing is being rendered. */
  settle(): Promise<void>;
}

interface Options {
  /**
   * Renders the page of an address for nobody in particular; null when it is one for each reader.
   *
   * @throws NotCacheable when there is no such page, or it failed; Busy when it cannot be rendered now.
   */
  render(address: string): Promise<RenderedPage | null>;
  /** Milliseconds of a clock that only goes forward. */
  clock?: () => number;
  /** All that is kept, in bytes of HTML and of its compressed forms. */
  maxBytes?: number;
  /** Whether its pages are sent to readers, who take them compressed. */
  compresses?: boolean;
}

/** So long a page is given out as it is. */
const freshMs = 5_000;
/** So long it is given out while a new one is rendered; afterwards readers wait for the new one. */
const lenientMs = 15_000;
/** So long it stands in for one that cannot be rendered: the public site outlives an outage of its database. */
const outageMs = 3_600_000;
/** So long a reader waits for a new page where an old one could stand in. */
const patienceMs = 2_000;

interface Entry {
  page: CachedPage;
  renderedAt: number;
  /** When rendering it anew last failed; for a while nobody waits for that again. */
  failedAt: number | null;
}

/** Whether somebody asked something of the page, and may have made it up. */
function isAsked(address: string): boolean {
  return address.includes("?");
}

/** Those go that were not asked for the longest. One page must not drive out all the others. */
function openEntries(maxSize: number): LRUCache<string, Entry> {
  const sizeCalculation = ({ page }: Entry, address: string) => page.bytes + address.length * 2;
  return new LRUCache({ maxSize, maxEntrySize: Math.floor(maxSize / 8), sizeCalculation });
}

/** Keeps rendered pages in memory. A page is rendered by one request at a time, whoever else asks for it. */
export function openPageCache({
  render,
  clock = () => performance.now(),
  maxBytes = 32 * 1024 * 1024,
  compresses = true,
}: Options): PageCache {
  const plain = openEntries(Math.floor((maxBytes * 3) / 4));
  /** Pages that somebody asked something of have room of their own: however many are made up, they drive out none of the others. */
  const asked = openEntries(Math.floor(maxBytes / 4));
  const entriesOf = (address: string) => (isAsked(address) ? asked : plain);
  const rendering = new Map<string, { startedAt: number; page: Promise<CachedPage | null> }>();
  let changedAt = Number.NEGATIVE_INFINITY;

  const ageOf = ({ renderedAt }: Entry) => {
    const age = clock() - renderedAt;
    return renderedAt <= changedAt ? Math.max(age, lenientMs) : age;
  };
  let isCompressing = false;
  /** A page that is asked for again is worth it; while another is under way it is sent as it is. */
  const compressWhenFree = async (address: string, { page }: Entry): Promise<void> => {
    if (!compresses || page.compressed || isCompressing) return;
    isCompressing = true;
    try {
      const compressed = await compressPage(page, false);
      const entry = entriesOf(address).get(address);
      if (entry?.page === page) entriesOf(address).set(address, { ...entry, page: compressed });
    } finally {
      isCompressing = false;
    }
  };
  const given = (address: string, entry: Entry): CachedPage => {
    if (!entry.page.compressed) void compressWhenFree(address, entry);
    return entry.page;
  };
  const keep = async (address: string, rendered: RenderedPage, before: Entry | undefined) => {
    const page = cachePage(rendered, before?.page);
    return isAsked(address) ? page : compressPage(page, true);
  };
  /** What is given out instead of a page that could not be rendered. Whoever renders has said why. */
  const standIn = (address: string, before: Entry | undefined, error: unknown): CachedPage => {
    const isGone = error instanceof NotCacheable && error.status < 500;
    if (isGone) entriesOf(address).delete(address);
    if (isGone || !before || ageOf(before) >= outageMs) throw error;
    before.failedAt = clock();
    return before.page;
  };
  const renderAnew = async (address: string): Promise<CachedPage | null> => {
    const renderedAt = clock();
    const before = entriesOf(address).get(address);
    try {
      const rendered = await render(address);
      const page = rendered && (await keep(address, rendered, before));
      const newer = entriesOf(address).get(address);
      // One that began after a change was faster than this one from before it.
      if (newer && newer.renderedAt > renderedAt) return newer.page;
      if (page) entriesOf(address).set(address, { page, renderedAt, failedAt: null });
      else entriesOf(address).delete(address);
      return page;
    } catch (error) {
      return standIn(address, before, error);
    }
  };
  const renderOnce = (address: string): Promise<CachedPage | null> => {
    const running = rendering.get(address);
    if (running && running.startedAt > changedAt) return running.page;
    const startedAt = clock();
    const page = renderAnew(address).finally(() => {
      if (rendering.get(address)?.page === page) rendering.delete(address);
    });
    rendering.set(address, { startedAt, page });
    return page;
  };

  return {
    peek(address) {
      const entry = entriesOf(address).get(address);
      return entry && ageOf(entry) < freshMs ? given(address, entry) : null;
    },
    async get(address) {
      const entry = entriesOf(address).get(address);
      if (entry && ageOf(entry) < freshMs) return given(address, entry);
      const next = renderOnce(address);
      if (!entry || ageOf(entry) >= outageMs) return next;
      // An old page is given out here, whatever becomes of the new one.
      next.catch(() => {});
      const failing = entry.failedAt !== null && clock() - entry.failedAt < freshMs;
      if (failing || ageOf(entry) < lenientMs) return entry.page;
      return Promise.race([next, wait(patienceMs, entry.page, { ref: false })]);
    },
    expire() {
      changedAt = clock();
    },
    async settle() {
      await Promise.allSettled([...rendering.values()].map(({ page }) => page));
    },
  };
}
