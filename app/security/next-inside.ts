/** Where someone was going, inside the same section only; else the section's security page. */
export function nextInside(next: string | null, root: string): string {
  const here = "http://here.invalid";
  const section = root.replace(/\/security$/, "");
  if (!next || !URL.canParse(next, here)) return root;
  const { origin, pathname, search } = new URL(next, here);
  const isInside = pathname === section || pathname.startsWith(`${section}/`);
  return next.startsWith("/") && origin === here && isInside ? pathname + search : root;
}
