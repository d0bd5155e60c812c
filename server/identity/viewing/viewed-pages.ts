import type { Permission } from "#core/permissions.ts";

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * The pages of an account that staff may see as its customer does; everything else is refused to them. A page belongs
 * here only if reading it changes nothing and shows no file and nothing that opens something: a new page is closed
 * until somebody has looked.
 */
const pages: Array<{ at: RegExp; needs?: Permission }> = [
  { at: /^\/account(?:\/dashboard)?$/ },
  { at: /^\/account\/deposit(?:\/payments)?$/ },
  { at: new RegExp(`^/account/deposit/${id}$`) },
  { at: new RegExp(`^/account/evidence/${id}$`) },
  { at: /^\/account\/mining$/ },
  { at: new RegExp(`^/account/mining/${id}$`) },
  { at: /^\/account\/withdraw$/ },
  { at: new RegExp(`^/account/withdraw/${id}$`) },
  { at: /^\/account\/transactions$/ },
  { at: /^\/account\/notices$/ },
  { at: /^\/account\/messages$/, needs: "contact/read" },
  { at: new RegExp(`^/account/messages/${id}$`), needs: "contact/read" },
  { at: /^\/account\/profile(?:\/(?:emails|display|data))?$/ },
  // Names, birthday and address as they were entered: for who may see them in the console too.
  { at: /^\/account\/verification$/, needs: "kyc/read" },
  { at: /^\/account\/security(?:\/history)?$/ },
];

/** Whether somebody with these permissions may see the page at this address as its customer does. */
export function mayBeViewed(pathname: string, may: (permission: Permission) => boolean): boolean {
  const page = pages.find(({ at }) => at.test(pathname));
  return page !== undefined && (page.needs === undefined || may(page.needs));
}
