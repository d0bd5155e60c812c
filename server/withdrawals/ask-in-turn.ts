/** A node answers so many questions of ours at a time. */
const atOnce = 16;

/** Asks about each, a few at a time, until `enough` says of the answers so far that no more are needed. */
export async function askInTurn<T, R>(
  each: T[],
  ask: (one: T) => Promise<R>,
  enough: (answers: R[]) => boolean = () => false,
): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < each.length && !enough(answers); from += atOnce) {
    answers.push(...(await Promise.all(each.slice(from, from + atOnce).map(ask))));
  }
  return answers;
}
