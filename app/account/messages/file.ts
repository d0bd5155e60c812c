import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { readOwnFile } from "#server/contact/read-file.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import type { Route } from "./+types/file";

/** A file of a message, for the customer who sent it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { id: customerId } = context.get(customerContext);
  const file = await readOwnFile(context.get(appContext), { ...params, customerId });
  if (!file) throw data(null, { status: 404, statusText: "Not Found" });
  return fileResponse(file);
}
