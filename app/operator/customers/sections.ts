import type { Permission } from "#core/permissions.ts";

/** What a customer may have of which there is a section only once there is some. */
export interface CustomerFlags {
  adjustments: boolean;
}

export interface CustomerSection {
  name: string;
  /** Below the customer's own address. */
  path: string;
  needs: Permission;
  /** Shown only once there is something in it. */
  once?: keyof CustomerFlags;
}

/**
 * The parts of a customer's page, each with an address and a reading of its own. A room with something new of customers
 * adds a line here, what says that there is some to `CustomerFlags` and read-customer-header.ts, and a page.
 */
export const customerSections: CustomerSection[] = [
  { name: "Overview", path: "", needs: "customers/read" },
  { name: "Deposits", path: "/deposits", needs: "deposits/read" },
  { name: "Withdrawals", path: "/withdrawals", needs: "withdrawals/read" },
  { name: "Contracts", path: "/contracts", needs: "mining/read" },
  { name: "Ledger", path: "/ledger", needs: "customers/read" },
  { name: "Adjustments", path: "/adjustments", needs: "adjustments/read", once: "adjustments" },
  { name: "Verification", path: "/verification", needs: "kyc/read" },
  { name: "Access", path: "/access", needs: "customers/read" },
  { name: "Notices", path: "/mail", needs: "mail/list" },
  { name: "Messages", path: "/messages", needs: "contact/read" },
  { name: "Notes", path: "/notes", needs: "staff-notes/read" },
  { name: "View", path: "/view", needs: "customers/read" },
];
