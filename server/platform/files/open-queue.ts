/**
 * A queue for heavy work, one at a time, so that many uploads at once cost time and not memory: a large photo
 * needs some 300 MB for a moment.
 */
export function openQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
