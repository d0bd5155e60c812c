export interface RecentStore<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** Keeps values until together they are larger than the bound: then those go that were not asked for the longest. */
export function openRecentStore<T>(maxBytes: number, sizeOf: (value: T) => number): RecentStore<T> {
  // A Map keeps the order in which its keys were set.
  const values = new Map<string, T>();
  let bytes = 0;
  const remove = (key: string) => {
    const value = values.get(key);
    if (value === undefined) return;
    bytes -= cost(key, value);
    values.delete(key);
  };
  const cost = (key: string, value: T) => sizeOf(value) + key.length * 2;
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      // One value must not drive out all the others.
      if (cost(key, value) > maxBytes / 8) return;
      values.set(key, value);
      bytes += cost(key, value);
      for (const oldest of values.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
