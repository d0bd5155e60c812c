import { NodeError } from "../../chain/json-rpc.ts";

/** A node that has it already, waiting or in a block, says so by refusing it. */
export async function unlessRefused(sent: Promise<unknown> | undefined): Promise<void> {
  await sent?.catch((error: unknown) => {
    if (!(error instanceof NodeError && error.failure === "refused")) throw error;
  });
}
