import type { ComponentProps } from "react";

interface Alignment {
  /** Figures stand to the right. */
  ta?: "right";
}

/** The parts of a table within `<TableFrame>`, which gives them their look. */
export const Table = {
  Thead: "thead",
  Tbody: "tbody",
  Tfoot: "tfoot",
  Tr: "tr",
  Th: HeadCell,
  Td: Cell,
} as const;

export type HeadCellProps = ComponentProps<"th"> & Alignment;

function HeadCell({ ta, ...props }: HeadCellProps) {
  return <th scope="col" data-align={ta} {...props} />;
}

function Cell({ ta, ...props }: ComponentProps<"td"> & Alignment) {
  return <td data-align={ta} {...props} />;
}
