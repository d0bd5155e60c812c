/**
 * Does the work for each of them, one after the other. One that fails stops no other: what failed is thrown at the end, so
 * that the job is seen to have failed and is tried again.
 */
export async function runEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} failed`);
}

const beforeAll = "00000000-0000-0000-0000-000000000000";

/**
 * Reads a list page by page, in the order of ids: `read` returns those after an id. What stays because its work failed is
 * passed, so that it never holds up what is behind it.
 */
export async function* inPages<Item extends { id: string }>(
  read: (after: string) => Promise<Item[]>,
): AsyncGenerator<Item> {
  for (let after = beforeAll; ; ) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}
