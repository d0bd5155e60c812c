const sections = {
  customer: { root: "/account", home: "/account/dashboard" },
  operator: { root: "/operator", home: "/operator" },
};

/** No address of ours is longer: server/identity/sign-in/sign-in-first.ts. */
const longestNext = 2_000;

/**
 * The page to go to after signing in: the wanted one if it lies in the section of this kind of person, else
 * the section's first page. Nothing else is followed, so that a link to the sign-in page cannot lead to
 * another site.
 */
export function nextPage(wanted: string | null, kind: keyof typeof sections): string {
  const { root, home } = sections[kind];
  const here = "http://here.invalid";
  if (!wanted?.startsWith("/") || wanted.length > longestNext || !URL.canParse(wanted, here))
    return home;
  const url = new URL(wanted, here);
  const isInside = url.pathname === root || url.pathname.startsWith(`${root}/`);
  return url.origin === here && isInside ? url.pathname + url.search : home;
}
