/** Said to an approval where no page could ask for the passkey that its person has. */
export const passkeyNeeded =
  "You have a passkey, but it cannot be asked for at this address. Nothing was done. Open the console at the site's own address, or remove the passkey under Security.";
