import { type CarriedForm, carriedFile, confirmFields } from "#core/carried-form.ts";

/** Together with their texts they must pass the limit that forms with carried files have: server/web.ts. */
const carriedBytes = 256 * 1024;

const passwordFields = ["password", "current", "confirmPassword"];

/** Takes a form apart, so that a page can carry it. What showed who sends it is not carried along. */
export async function carryForm(request: Request, form: FormData): Promise<CarriedForm> {
  const own: string[] = Object.values(confirmFields);
  const texts = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && !own.includes(entry[0]),
  );
  const isPassword = ([name]: [string, string]) => passwordFields.includes(name);
  const { files, tooLarge } = await carryFiles(form);
  const action = pageOf(request.url);
  return {
    action: files.length > 0 ? withFiles(action) : action,
    fields: texts.filter((entry) => !isPassword(entry)),
    passwords: texts.filter(isPassword).map(([name]) => name),
    files,
    tooLarge,
  };
}

async function carryFiles(form: FormData): Promise<Pick<CarriedForm, "files" | "tooLarge">> {
  const carried: Pick<CarriedForm, "files" | "tooLarge"> = { files: [], tooLarge: [] };
  let bytes = 0;
  for (const [field, file] of form) {
    // A file field that was left empty is sent as a file without a name.
    if (typeof file === "string" || (file.size === 0 && file.name === "")) continue;
    bytes += file.size;
    if (bytes > carriedBytes) carried.tooLarge.push({ field, name: file.name });
    else carried.files.push(await takeApart(field, file));
  }
  return carried;
}

async function takeApart(field: string, file: File) {
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { field, name: file.name, type: file.type, base64 };
}

/** The page's own address, also of a form that a script has sent as data. */
function pageOf(address: string): string {
  const { pathname, searchParams } = new URL(address);
  searchParams.delete("_routes");
  searchParams.delete(carriedFile);
  const path = pathname.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
  return searchParams.size > 0 ? `${path}?${searchParams}` : path;
}

function withFiles(action: string): string {
  return `${action}${action.includes("?") ? "&" : "?"}${carriedFile}=1`;
}
