import { redirect } from "react-router";
import { type FlashKey, flash } from "#app/ui/flash.ts";

/** Goes to a page that says what was done. */
export async function said(key: FlashKey, to: string, cookies: string[] = []): Promise<Response> {
  const headers = new Headers({ "Set-Cookie": await flash(key) });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return redirect(to, { headers });
}
