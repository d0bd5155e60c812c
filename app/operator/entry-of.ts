import type { NavigationGroup } from "./navigation.ts";

/** The entry that an address belongs to: the one that names most of it. */
export function entryOf(
  groups: NavigationGroup[],
  pathname: string,
): { group: NavigationGroup; home: string } | null {
  const around = groups.flatMap((group) =>
    group.entries
      .filter(({ home }) => pathname === home || pathname.startsWith(`${home}/`))
      .map(({ home }) => ({ group, home })),
  );
  return around.sort((a, b) => b.home.length - a.home.length)[0] ?? null;
}
