import { createContext } from "react-router";
import type { Customer } from "../account/customer.ts";
import type { Settings } from "../settings/settings.ts";
import type { Operator } from "../staff/operator.ts";

/** The customer whose request it is: `context.get(customerContext)` below a section that requires one. */
export const customerContext = createContext<Customer>();

/** What this customer chose, as it stood when the request came. */
export const settingsContext = createContext<Settings>();

/** The operator whose request it is: `context.get(operatorContext)` below a section for staff. */
export const operatorContext = createContext<Operator>();

/** A look at a customer's account by staff, see `startView`. */
export interface View {
  id: string;
  customerId: string;
  /** The customer reads it too. */
  reason: string;
  endsAt: Date;
}

/** The view through which staff read this page, or null where its customer does. */
export const viewContext = createContext<View | null>(null);
