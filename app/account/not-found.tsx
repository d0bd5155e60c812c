import { data } from "react-router";

/** Any address below /account that is no one's: the layout says so inside its frame. */
export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
