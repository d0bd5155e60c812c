import { redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/flash.ts";

/** Goes to a page that says what was done. */
export async function said(key: FlashKey, to: string): Promise<Response> {
  return redirect(to, { headers: { "Set-Cookie": await flash(key) } });
}
