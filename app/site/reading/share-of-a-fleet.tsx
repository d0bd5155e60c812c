import line from "../frame/line-drawing.module.css";

const columns = 12;
const rows = 4;
const yours = 5;

/** A hall of machines, some of them in metal: a share of what all of them are paid. */
export function ShareOfAFleet() {
  const machines = Array.from({ length: columns * rows }, (_, index) => index);
  return (
    <svg className={line.drawing} viewBox="0 0 480 200" aria-hidden="true">
      {machines.map((index) => (
        <Machine key={index} index={index} />
      ))}
      <path
        className={line.fine}
        d="M238 32h40M238 76h40M238 120h40M238 164h40M278 32v132M278 98h24"
      />
      <path d="M296 93l8 5-8 5" />
      <circle cx="346" cy="98" r="36" />
      <circle className={line.fine} cx="346" cy="98" r="28" />
      <path className={line.metal} d={`M346 98V62A36 36 0 0 1 ${sliceEnd()}z`} />
      <path className={line.fine} d="M388 98h26" />
      <path d="M408 93l8 5-8 5" />
      <path d="M424 76h40v44h-40zM424 86h40M432 95h24M432 103h24M432 111h12" />
      <path className={line.metal} d="M448 111h8" />
    </svg>
  );
}

/** The slice of the payout is as large as the share of the machines. */
function sliceEnd(): string {
  const angle = (2 * Math.PI * yours) / (columns * rows);
  return `${(346 + 36 * Math.sin(angle)).toFixed(1)} ${(98 - 36 * Math.cos(angle)).toFixed(1)}`;
}

function Machine({ index }: { index: number }) {
  const x = 8 + (index % columns) * 19;
  const y = 18 + Math.floor(index / columns) * 44;
  return (
    <g className={index < yours ? line.metal : undefined}>
      <path d={`M${x} ${y}h14v28h-14z`} />
      <circle className={line.fine} cx={x + 7} cy={y + 9} r="4" />
      <circle className={line.fine} cx={x + 7} cy={y + 20} r="4" />
    </g>
  );
}
